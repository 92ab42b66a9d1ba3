import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openSeal } from '../../../src/secrets/seal.ts'
import { createServiceDatabase, type TestDatabase } from '../../support/harness.ts'
import { holdRows } from '../../support/ledger.ts'
import {
  ask,
  databaseUrl,
  endServices,
  launchPurser,
  runPurser,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'
import { applicant } from '../../support/world.ts'

/** More than are sealed in one transaction. */
const organisations = process.env.SOAK ? 20_000 : 500
const key = randomBytes(32)
const newKey = randomBytes(32)

let own: TestDatabase
let environment: Record<string, string> & { PURSER_DATA_DIR: string }

beforeAll(async () => {
  own = await createServiceDatabase()
  environment = {
    PURSER_DATA_DIR: scratchFolder(),
    DATABASE_URL: databaseUrl(own.server),
    PURSER_API_KEY: 'key-of-the-rotation',
    PURSER_ENCRYPTION_KEY: key.toString('base64'),
  }
})
afterEach(endServices)
afterAll(() => own.drop())

/** How many organisations have keys that are sealed with the new key. */
async function rotated(): Promise<number> {
  const [row] = await ask<{ count: number }>(
    own.server,
    'select count(*)::int from organisation_key where substring(data_key from 1 for 4) = $1',
    [openSeal(newKey).version],
  )
  return row?.count ?? 0
}

describe('purser keys rotate-encryption', () => {
  test('is finished after a kill, under load: no request fails, and every idempotency key still replays', async () => {
    const first = await startService(environment)
    const apply = (service: typeof first, ssn: string) =>
      service.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn }, idempotencyKey: `apply-${ssn}` })
    const before = await apply(first, '713946825')
    expect(before.status).toBe(201)
    await ask(
      own.server,
      `insert into organisation (id, name, created_at) select -n, 'other ' || n, now() from generate_series(1, $1) n`,
      [organisations],
    )
    await first.stop()

    const both = { ...environment, PURSER_ENCRYPTION_KEY_NEW: newKey.toString('base64') }
    const service = await startService(both)
    const answers = new Map([['713946825', before.text]])
    let loading = true
    const load = (async () => {
      for (let n = 0; loading; n++) {
        const ssn = String(713_900_000 + n)
        const { status, text } = await apply(service, ssn)
        expect(status, text).toBe(201)
        answers.set(ssn, text)
      }
    })()

    // A fault of the load shows where it is awaited.
    load.catch(() => undefined)

    // The rotation waits when it comes to the keys of the last of these organisations.
    await ask(
      own.server,
      `create function wait_here() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
       create trigger wait_here before update on organisation_key for each row
         when (new.organisation_id = -1) execute function wait_here()`,
    )
    const release = await holdRows(own, 'select pg_advisory_xact_lock($1)', 1)
    const killed = launchPurser(['keys', 'rotate-encryption'], { environment: both })
    await until('the rotation to come to the keys of the last organisation', async () => {
      // Other statements wait for locks, too, for example those of a start.
      const waiting = `select from pg_locks where locktype = 'advisory' and objid = 1 and not granted
        and database = (select oid from pg_database where datname = current_database())`
      return (await ask(own.server, waiting)).length > 0
    })
    const part = await rotated()
    expect(part).toBeGreaterThan(0)
    expect(part).toBeLessThan(organisations)
    const answered = answers.size
    await until('requests in the middle of the rotation', () => answers.size > answered + 2)
    await killed.kill()
    await release()
    expect(await rotated()).toBe(part)

    const oldOnly = await runPurser(['keys', 'rotate-encryption'], { environment })
    expect([oldOnly.code, oldOnly.stderr]).toEqual([1, expect.stringContaining('PURSER_ENCRYPTION_KEY_NEW is not set')])
    const finished = await runPurser(['keys', 'rotate-encryption'], { environment: both })
    expect([finished.code, finished.stdout]).toEqual([0, '{"rotated":true}\n'])
    expect(finished.stderr).toContain('sealing the keys of organisations')
    expect(await rotated()).toBeGreaterThan(organisations)
    loading = false
    await load
    await service.stop()

    await expect(startService(environment)).rejects.toThrow('sealed with another encryption key')
    const after = await startService({ ...environment, PURSER_ENCRYPTION_KEY: newKey.toString('base64') })
    for (const [ssn, text] of answers) {
      const again = await apply(after, ssn)
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([text, 'true'])
    }
  })
})
