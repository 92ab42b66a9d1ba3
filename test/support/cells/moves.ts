import { expect } from 'vitest'
import { outputTo } from '../../../ground/output.ts'
import { openClosers } from '../../../src/base/closers.ts'
import { parseConfig } from '../../../src/config.ts'
import { expectSoundLedger } from '../ledger.ts'
import type { TwoCells } from './two-cells.ts'

/** The parts of an operator's command that a test breaks off between its steps, and the records that it shows. */
export function commandParts(cells: Pick<TwoCells, 'environment'>, config = () => parseConfig(cells.environment)) {
  const results: Record<string, unknown>[] = []
  const stdout = { write: (line: string | Uint8Array) => results.push(JSON.parse(String(line))) }
  const out = outputTo({ json: true, environment: {}, stdin: {}, stdout, stderr: { write: () => undefined } })
  return { results, config, closers: openClosers(), out, options: { yes: true }, confirm: async () => true }
}

/** The laws hold in both cells, and nothing of a move is left but the rows that say where organisations are. */
export async function expectTidyCells({ home, east }: TwoCells): Promise<void> {
  for (const { database } of [home, east]) {
    await expectSoundLedger({ database })
    const [left] = await database.query(
      `select (select count(*) from pg_trigger where tgname like 'purser_move%') as triggers,
         (select count(*) from pg_publication where pubname like 'purser_move%') as publications,
         (select count(*) from pg_subscription where subname like 'purser_move%') as subscriptions,
         (select count(*) from pg_replication_slots) as slots,
         (select count(*) from pg_class where relreplident = 'f') as identities,
         (select count(*) from organisation_move where state <> 'moved') as moves`,
      [],
      'once',
    )
    expect(left).toEqual({ triggers: 0, publications: 0, subscriptions: 0, slots: 0, identities: 0, moves: 0 })
  }
}
