import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertKey } from '../../../src/access/api-keys.sql.ts'
import { ensureOrganisation } from '../../../src/access/organisations.ts'
import { sha256 } from '../../../src/base/sha256.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { openRecordIds } from '../../../src/database/record-ids.ts'
import { createServiceDatabase, type TestDatabase } from '../../support/harness.ts'
import { type OwnServer, startOwnServer } from '../../support/own-server.ts'
import { type DatabaseProxy, openProxy } from '../../support/proxy.ts'
import {
  ask,
  databaseUrl,
  endServices,
  launchService,
  runPurser,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

const MAX_REQUESTS = 20

let home: TestDatabase
let homeProxy: DatabaseProxy
let east: OwnServer
let service: Service
let settings: Record<string, string> & { PURSER_DATA_DIR: string }
const eastKey = 'a-key-of-the-cell-east'

beforeAll(async () => {
  ;[home, east] = await Promise.all([createServiceDatabase(), startOwnServer()])
  homeProxy = await openProxy(home.server)
  settings = {
    PURSER_DATA_DIR: scratchFolder(),
    DATABASE_URL: databaseUrl(homeProxy.server),
    PURSER_CELL_EAST: databaseUrl(east.server),
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PURSER_MAX_REQUESTS: String(MAX_REQUESTS),
    PURSER_API_KEY: 'a-key-of-the-home-cell',
  }
  service = await startService(settings)
  // The tables of an empty database may take a busy machine longer than a start waits for a cell.
  await until('the cell to join', async () => (await states()).cells.east === 'ready')
  await makeEastKey()
})

afterAll(async () => {
  east.thaw()
  await endServices()
  await east.stop()
  await homeProxy.close()
  await home.drop()
})

/** An organisation of the further cell, with ids of its range. */
async function makeEastKey(): Promise<void> {
  const database = openDatabase({ servers: [east.server], connections: 1, timeouts: plainTimeouts })
  const ids = openRecordIds(database)
  const organisationId = await ensureOrganisation(database, ids, 'eastern')
  const own = { id: await ids.next(), organisationId, name: 'east', hash: sha256(eastKey) }
  await insertKey(database, { ...own, scopes: null, expiresAt: null })
  await database.close()
}

const customers = (key: string | null) => service.call('GET', '/v0/banking/customers', { key })
const states = async () => (await service.call('GET', '/readyz', { key: null })).json

describe('two cells behind one service', () => {
  test('each serve their own organisations, with ids of their own range', async () => {
    expect(await states()).toEqual({ status: 'ready', cells: { home: 'ready', east: 'ready' } })
    const made = await Promise.all(
      [service.key, eastKey].map((key) => service.call('POST', '/v0/sandbox/scenarios', { key, body: {} })),
    )
    expect(made.map(({ status }) => status)).toEqual([201, 201])
    const [homeId, eastId] = made.map(({ json }) => Number(json.data.customerId))
    expect(homeId).toBeLessThan(10 ** 14)
    expect(eastId).toBeGreaterThan(10 ** 14)
    for (const [key, id, other] of [
      [service.key, homeId, eastId],
      [eastKey, eastId, homeId],
    ] as const) {
      expect((await service.call('GET', `/v0/banking/customers/${id}`, { key })).status).toBe(200)
      expect((await service.call('GET', `/v0/banking/customers/${other}`, { key })).status).toBe(404)
    }
    expect((await customers('a-key-that-no-cell-knows')).status).toBe(401)
  })

  test('a sandbox organisation is made in the cell of its caller', async () => {
    const body = { name: 'made by a request' }
    const { status, json } = await service.call('POST', '/v0/sandbox/organisations', { key: eastKey, body })
    expect(status).toBe(201)
    expect(Number(json.data.id)).toBeGreaterThan(10 ** 14)
    expect((await customers(json.data.apiKey.key)).status).toBe(200)
  })

  test('a cell that freezes harms its own organisations and nobody else', async () => {
    await east.freeze()
    // More than the requests that may be in progress, and more than the connections of a pool.
    const stuck = Array.from({ length: 3 * MAX_REQUESTS }, () => customers(eastKey))
    for (let count = 0; count < 10; count++) {
      expect((await customers(service.key)).status).toBe(200)
    }
    // They are answered while the cell is still frozen.
    for (const { status, headers } of await Promise.all(stuck)) {
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
    }
    const unknown = await customers('another-key-that-no-cell-knows')
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '1'])
    await until('the cell to be named', async () => (await states()).cells.east === 'away')
    expect((await service.call('GET', '/readyz', { key: null })).status).toBe(200)

    const { status } = await service.call('POST', '/v0/sandbox/scenarios', { body: {} })
    expect(status).toBe(201)
    east.thaw()
    await until('the cell to be back', async () => (await customers(eastKey)).status === 200)
    await until('the cell to be ready', async () => (await states()).cells.east === 'ready')
    expect((await customers('another-key-that-no-cell-knows')).status).toBe(401)
  })

  test('a cell that is killed harms its own organisations and nobody else, and loses nothing', async () => {
    const make = () => service.call('POST', '/v0/sandbox/scenarios', { key: eastKey, body: {} })
    const { customerId } = (await make()).json.data
    const waiting = service.call('GET', '/v0/events?after=latest&wait=20', { key: eastKey })
    await east.kill()
    for (let count = 0; count < 10; count++) {
      const [own, other] = [await customers(service.key), await customers(eastKey)]
      expect([own.status, other.status]).toEqual([200, 503])
      expect(Number(other.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await make()).status).toBe(503)
    expect((await service.call('POST', '/v0/sandbox/scenarios', { body: {} })).status).toBe(201)
    expect((await customers('a-third-key-that-no-cell-knows')).status).toBe(503)
    await until('the cell to be named', async () => (await states()).cells.east === 'away')
    await east.restart()
    await until('the cell to be back', async () => (await customers(eastKey)).status === 200)
    await until('the cell to be ready', async () => (await states()).cells.east === 'ready')
    const kept = await service.call('GET', `/v0/banking/customers/${customerId}`, { key: eastKey })
    expect(kept.status).toBe(200)
    expect((await make()).status).toBe(201)
    expect([200, 503]).toContain((await waiting).status)
    expect((await customers('a-third-key-that-no-cell-knows')).status).toBe(401)
  })

  test('the home cell that freezes harms its own organisations and nobody else', async () => {
    const ready = () => service.call('GET', '/readyz', { key: null })
    expect((await customers(service.key)).status).toBe(200)
    homeProxy.swallow()
    // More than the requests that may be in progress, and more than the connections of a pool.
    const stuck = Array.from({ length: 3 * MAX_REQUESTS }, () => customers(service.key))
    for (let count = 0; count < 10; count++) {
      expect((await customers(eastKey)).status).toBe(200)
    }
    for (const { status } of await Promise.all(stuck)) expect(status).toBe(503)
    expect((await service.call('POST', '/v0/sandbox/scenarios', { key: eastKey, body: {} })).status).toBe(201)
    // A load balancer keeps the process, which the organisations of the other cell need.
    const { status, json } = await ready()
    expect([status, json.cells]).toEqual([200, { home: 'away', east: 'ready' }])
    await east.freeze()
    await until('the process to be of no use', async () => (await ready()).status === 503)
    east.thaw()
    homeProxy.accept()
    await until('both cells to be back', async () => {
      const { cells } = await states()
      return cells?.home === 'ready' && cells.east === 'ready'
    })
    expect((await customers(service.key)).status).toBe(200)
  })

  test('a service starts while a cell is away, and the cell joins when it is back', async () => {
    await service.stop()
    await east.freeze()
    service = await startService(settings)
    expect((await customers(service.key)).status).toBe(200)
    expect((await customers(eastKey)).status).toBe(503)
    expect((await states()).cells).toEqual({ home: 'ready', east: 'away' })
    east.thaw()
    await until('the cell to join', async () => (await customers(eastKey)).status === 200)
    const [row] = await ask<{ name: string; number: number }>(east.server, 'select name, number from cell')
    expect(row).toEqual({ name: 'east', number: 1 })
  })

  test('commands of the operator work over all cells', async () => {
    const { DATABASE_URL = '', PURSER_CELL_EAST = '', PURSER_ENCRYPTION_KEY = '' } = settings
    const environment = { DATABASE_URL, PURSER_CELL_EAST, PURSER_ENCRYPTION_KEY }
    const made = await runPurser(['keys', 'create', '--organisation', 'eastern'], { environment })
    const { id, key } = JSON.parse(made.stdout)
    expect(Number(id)).toBeGreaterThan(10 ** 14)
    expect((await customers(key)).status).toBe(200)
    const listed = await runPurser(['keys', 'list'], { environment })
    const organisations = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).organisation)
    expect(organisations).toEqual(expect.arrayContaining(['default', 'eastern']))
    expect(await runPurser(['keys', 'revoke', id], { environment })).toMatchObject({ code: 0 })
    expect(await runPurser(['keys', 'revoke', id], { environment })).toMatchObject({ code: 1 })
    const verified = await runPurser(['verify'], { environment })
    expect([verified.code, verified.stderr]).toEqual([0, expect.stringContaining('cell east')])
  })

  test('a start is refused on the database of another cell', async () => {
    const { PURSER_CELL_EAST, ...others } = settings
    const wrong = { ...others, PURSER_CELL_WEST: String(PURSER_CELL_EAST), PURSER_DATA_DIR: scratchFolder() }
    // The tables of another cell, or of another bank, are left as they are.
    const last = 'select max(number) as number from migration'
    await ask(east.server, `delete from migration where number = (${last})`)
    const before = await ask(east.server, last)
    const exit = await launchService(wrong).exited
    expect(exit.code).toBe(1)
    expect(exit.stderr).toBe(
      'purser: PURSER_CELL_WEST names the database of the cell east: each cell has a database of its own\n',
    )
    expect(await ask(east.server, last)).toEqual(before)
  })
})
