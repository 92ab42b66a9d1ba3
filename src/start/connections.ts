import { CONNECTIONS_OF_PROCESS } from '../backend/core.ts'
import type { Config } from '../config.ts'
import { type Database, DatabaseUnavailable, serversOf } from '../database/database.ts'
import { visitDatabase } from '../database/visit.ts'
import { requireConnections } from '../processes/connections.ts'

/**
 * Refuses more processes than the servers of the cells have connections for. A further cell that is away is not checked: it
 * joins later, and must not hold up the start.
 */
export async function requireCellConnections(config: Config, home: Database): Promise<void> {
  const { processes, databaseUrl, dataDir, cells } = config
  const urls = [databaseUrl, ...cells.map((cell) => cell.databaseUrl)].flatMap((url) => url ?? [])
  const onServer = (url: string | undefined) =>
    url === undefined ? 1 : urls.filter((other) => serverIn(other) === serverIn(url)).length
  const ofHome = connectionsWith(config.readUrl)
  await requireConnections({ database: home, onServer: onServer(databaseUrl) }, processes, ofHome)
  const check = async ({ name: cell, databaseUrl: url, readUrl }: Config['cells'][number]) => {
    const visited = visitDatabase({ databaseUrl: url, dataDir }, (database) =>
      requireConnections({ database, cell, onServer: onServer(url) }, processes, connectionsWith(readUrl)),
    )
    await visited.catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error
    })
  }
  await Promise.all(cells.map(check))
}

/** The connections of a process to a cell. With a standby one more looks how far it is behind. */
function connectionsWith(readUrl: string | undefined): number {
  return CONNECTIONS_OF_PROCESS + (readUrl ? 1 : 0)
}

/** The address of the server of a URL. */
function serverIn(url: string): string {
  return serversOf(url)
    .map(({ host, port }) => `${host}:${port ?? 5432}`)
    .join(',')
}
