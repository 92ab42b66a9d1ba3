import { join } from 'node:path'
import { expect } from 'vitest'
import type { Node, Pair } from '../postgres/pair.ts'
import { administer } from '../server.ts'
import { runPurser, type Service, scratchFolder, startService, until } from '../service.ts'
import { ENCRYPTION_KEY } from './home-cell.ts'

/**
 * A service of two cells, in two databases of a pair. The cell `east` has a standby of its own; for the home cell that of `east` is
 * named by mistake. Returns the name of the database of `east`.
 */
export async function expectStandbyOfCell(pair: Pair): Promise<string> {
  await administer(pair.primary.server, 'create database east')
  const environment = {
    DATABASE_URL: urlOf(pair.primary, 'postgres'),
    PURSER_CELL_EAST: urlOf(pair.primary, 'east'),
    PURSER_READ_URL: urlOf(pair.standby, 'east'),
    PURSER_READ_URL_EAST: urlOf(pair.standby, 'east'),
    PURSER_ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
  }
  const service = await startService({
    ...environment,
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    PURSER_API_KEY: 'key-of-the-service',
  })
  const words = ['keys', 'create', '--organisation', 'Eastern', '--cell', 'east']
  const { key } = JSON.parse((await runPurser(words, { environment })).stdout)
  const path = '/v0/banking/cards'

  await until('the standby to answer', async () => (await stale(service, path, key)).applied === 'stale=60')
  const ofOther =
    'home: the standby is not used: the server has another database, which is no copy of that of the primary'
  await until('a line of the log about the home cell', () => saidBy(service).includes(ofOther))
  await until('a line of the log about the other cell', () =>
    saidBy(service).includes('east: the standby answers reads'),
  )
  expect(saidBy(service)).not.toContain('home: the standby answers reads')
  expect(await stale(service, path)).toEqual({ status: 200, applied: null })
  const listed = (await runPurser(['cells', 'list'], { environment })).stdout.trim().split('\n')
  expect(listed.map((line) => JSON.parse(line))).toMatchObject([
    { name: 'home', state: 'ready', standby: 'not used', standbyLagMs: null },
    { name: 'east', state: 'ready', standby: 'ready', standbyLagMs: expect.any(Number) },
  ])
  expect((await service.stop()).code).toBe(0)
  return 'east'
}

function urlOf({ proxy }: Node, database: string): string {
  return `postgres://purser@${proxy.server.host}:${proxy.server.port}/${database}`
}

async function stale({ url, key: own }: Service, path: string, key = own) {
  const { status, headers } = await fetch(url + path, { headers: { 'x-service-api-key': key, prefer: 'stale=60' } })
  return { status, applied: headers.get('preference-applied') }
}

/** The lines of the log about standbys, with the cell. */
function saidBy(service: Service): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { cell?: string; msg?: string; reason?: string } => JSON.parse(line))
    .filter(({ msg }) => msg?.startsWith('the standby'))
    .map(({ cell = 'home', msg, reason }) => `${cell}: ${reason ? `the standby is not used: ${reason}` : msg}`)
}
