import type { Database } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import type { Perform } from '../../write/perform.ts'

/** What the rooms of the built-in bank work with. */
export interface BuiltinParts {
  database: Database
  ids: RecordIds
  perform: Perform
  routingNumber: string
}

/** Many look-ups by id in one turn of the event loop become one statement. */
export function coalesce<Row extends { id: number }>(
  findMany: (ids: number[]) => Promise<Row[]>,
): (id: number) => Promise<Row | undefined> {
  let gathering: Promise<Map<number, Row>> | undefined
  let wanted: number[] = []

  async function findGathered(): Promise<Map<number, Row>> {
    await new Promise<void>(setImmediate)
    const ids = wanted
    gathering = undefined
    wanted = []
    return new Map((await findMany(ids)).map((row) => [row.id, row]))
  }

  return async (id) => {
    wanted.push(id)
    gathering ??= findGathered()
    return (await gathering).get(id)
  }
}
