import { type ListedFormerId, listFormerIds } from '../../bank/move-in/move-in.ts'
import { requireOwner, visitCell } from '../../cells/visit.ts'
import type { OperatorCommand } from '../command.ts'

const PAGE = 1_000

/** Lists the ids that the records of an organisation had in its former system. */
export const formerIds: OperatorCommand = async ({ args: [name = ''], options, config, out, closers }) => {
  const former = typeof options.former === 'string' ? options.former : null
  const settings = config()
  const { place, organisation } = await requireOwner(settings, name, closers)
  await visitCell(
    settings,
    place,
    async (database) => {
      async function* all(): AsyncGenerator<Omit<ListedFormerId, 'id'> & { id: string }> {
        for (let after = { kind: '', former: '' }; ; ) {
          const rows = await listFormerIds(database, organisation.id, { former, after, limit: PAGE })
          for (const row of rows) yield { ...row, id: String(row.id) }
          const last = rows.at(-1)
          if (!last || rows.length < PAGE) return
          after = last
        }
      }
      await out.records(all(), { kind: 'KIND', former: 'FORMER', id: 'ID', number: 'NUMBER' })
    },
    closers,
  )
}
