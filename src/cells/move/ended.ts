import type { Closers } from '../../base/closers.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import type { CellPlace } from '../settings.ts'
import { visitOthers } from '../visit.ts'
import { actAsMover, endMoved as endOrganisation, findEnded } from './state.sql.ts'

/** Whether another cell has an organisation. */
export async function isElsewhere(config: Config, place: CellPlace, id: number, closers: Closers): Promise<boolean> {
  const ended = await visitOthers(config, place, async (there) => (await findEnded(there, id))?.ended, closers)
  return ended.includes(false)
}

/** Ends an organisation in a cell that has it as before its move, because it is a restored copy. */
export function endMoved(database: Database, id: number): Promise<void> {
  return database.transaction(async (transaction) => {
    await actAsMover(transaction)
    await endOrganisation(transaction, id)
  })
}
