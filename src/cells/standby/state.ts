import { after } from '../../database/connection.ts'
import { serversOf } from '../../database/database.ts'
import type { CellPlace } from '../settings.ts'
import { Standby, type StandbyChange } from './standby.ts'

/** A standby that is slow is better named by what is wrong with it than by its slowness. */
const ANSWER_MS = 5_000
/** A standby that is ready is found within a second. */
const STANDBY_MS = 10_000

/** Whether the service would read from the standby of a cell, and how old its state is; or the reason why not. */
export type StandbyState = { used: true; ageMs: number } | { used: false; reason: string }

/** Looks at the standby of a cell. Undefined if none is configured. */
export async function standbyState({
  databaseUrl,
  readUrl,
}: Pick<CellPlace, 'databaseUrl' | 'readUrl'>): Promise<StandbyState | undefined> {
  if (!databaseUrl || !readUrl) return undefined
  const standby = new Standby({ servers: serversOf(readUrl), primary: serversOf(databaseUrl), answerMs: ANSWER_MS })
  let stopWaiting = () => {}
  try {
    const change = await new Promise<StandbyChange>((changed) => {
      const reason = `the standby could not be compared with the primary within ${STANDBY_MS / 1000} s`
      stopWaiting = after(STANDBY_MS, () => changed({ used: false, reason }))
      standby.start(changed)
    })
    return change.used ? { used: true, ageMs: standby.ageMs() ?? 0 } : change
  } finally {
    stopWaiting()
    await standby.close()
  }
}
