import { recordKind } from '../../ledger/kinds.ts'
import { holdBuildingFiles, holdUnsettledBatches, type SettledBatch, writeSettledBatches } from './ach-files.sql.ts'

/** Those of the named ACH files that are being built. */
export const buildingFiles = recordKind({
  name: 'ACH files that are being built',
  read: (transaction, ids: number[]) => holdBuildingFiles(transaction, ids),
  open: (rows: number[]) => new Set(rows),
})

interface AchBatchBook {
  /** Notes that a batch settles, and returns whether it does: another process may have settled or rejected it meanwhile. */
  settle(id: number): boolean
  settled: SettledBatch[]
}

/** Batches of ACH files that are to settle. */
export const achBatches = recordKind({
  name: 'ACH batches',
  read: (transaction, ids: number[]) => holdUnsettledBatches(transaction, ids),
  open(rows: number[], { undo, now, organisation }): AchBatchBook {
    const unsettled = new Set(rows)
    const settled: SettledBatch[] = []
    return {
      settle(id) {
        if (!unsettled.delete(id)) return false
        undo.push(() => unsettled.add(id))
        undo.append(settled, { id, at: now(organisation()) })
        return true
      },
      settled,
    }
  },
  write: (transaction, { settled }) => writeSettledBatches(transaction, settled),
})
