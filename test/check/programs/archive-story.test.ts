import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type MovedTable, movedTables } from '../../../src/cells/move/tables.ts'
import { tellAll } from '../../support/examples/harvest.ts'
import { openRecorder } from '../../support/examples/recorder.ts'
import { createDatabase, openTestBank, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { operate } from '../../support/run/command-line.ts'
import { databaseUrl, scratchFolder } from '../../support/service.ts'

/** The tables in which the operations leave no rows: those of connectors, imports, limits of an organisation, and ACH files of others. */
const empty = [
  ...['ach_batch', 'ach_entry', 'ach_exception', 'campaign_usage', 'claim', 'denied_request', 'fault_rule'],
  ...['former_id', 'inbound_event', 'inbound_version', 'organisation_usage', 'retention_mark'],
]
/** Written anew: the operator's key wraps the keys of the organisation, and persons of the former bank are none of this one. */
const changed = ['organisation_key', 'api_key', 'proposal']

const environmentOf = ({ server }: Pick<TestBank, 'server'>) => ({
  DATABASE_URL: databaseUrl(server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_ROUTING_NUMBER: '812345678',
})

/** The number of rows of an organisation in each table, and a digest of all of them. */
async function rowsOf({ database }: TestBank, id: string): Promise<Record<string, { count: number; digest: string }>> {
  const read = async ({ name, rows }: MovedTable) => {
    const text = `select count(*) as count, md5(coalesce(string_agg(to_json(t)::text, '' order by to_json(t)::text), '')) as digest
      from ${name} t where ${rows.replaceAll('$1', `${id}::bigint`)}`
    const [row] = await database.query<{ count: number; digest: string }>(text, [], 'once')
    return [name, row]
  }
  return Object.fromEntries(await Promise.all(movedTables.map(read)))
}

test('an organisation in which every operation was called has the same rows in another bank', async () => {
  const folder = scratchFolder()
  const target = await createDatabase()
  await tellAll(
    async (bank) => openRecorder(bank),
    async ({ bank, recorder }) => {
      const { organisation } = (await bank.call('GET', '/v0/me', { key: recorder.key() })).json.data
      // The background work of a service does so.
      await bank.database.query('update reseal set done = true')
      await bank.database.query('delete from copy_move')
      const [secret, archive] = [join(folder, 'secret.txt'), join(folder, 'story.age')]
      const [{ recipient }] = (await operate(['keys', 'identity', secret], {})) as [{ recipient: string }]
      const words = ['export', 'organisation', `sandbox-${organisation.id}`, '--to', archive, '--recipient', recipient]
      await operate(words, environmentOf(bank))
      const before = await rowsOf(bank, organisation.id)
      const found = Object.keys(before).filter((table) => before[table]?.count === 0)
      expect(found.toSorted()).toEqual(empty)
      const [result] = await operate(
        ['import', archive, '--identity', secret, '--take-over'],
        environmentOf({ server: target.server }),
      )
      expect(result).toMatchObject({ state: 'imported' })
      const other = await openTestBank({ on: target })
      const after = await rowsOf(other, organisation.id)
      const different = Object.keys(before).filter((table) => before[table]?.digest !== after[table]?.digest)
      expect(different.toSorted()).toEqual(changed.toSorted())
      await expectSoundLedger(other)
      await other.close()
    },
  )
  await target.drop()
  rmSync(folder, { recursive: true })
})
