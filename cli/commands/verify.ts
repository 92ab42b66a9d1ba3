import { dataDirOption, operatorCommand } from '../operate.ts'

export const verify = operatorCommand({
  path: 'verify',
  summary: 'Checks the laws of the ledger, the chain of events, and the records against their events',
  description:
    'Checks the whole database in one snapshot, while the service runs or not. If a law does not hold, prints the rows that break it and exits with 1. With --since, the laws on transfers, payments, authorizations, rewards, ids, statements, answers and events are checked for the rows written since then, against the balances, sequence numbers and event numbers before; the sum of all balances, holds, and the owners of accounts are checked as a whole. Use --since every day, and the whole check now and then: only the whole check finds a change of older rows. Records are always compared with their events as a whole, which needs the encryption key.',
  options: [
    {
      flags: '--since <date>',
      description:
        'Check the rows written since a day (2026-01-31, in UTC) or a time (2026-01-31T08:00:00Z), in bank time',
    },
    dataDirOption,
  ],
  examples: [
    { run: 'purser verify', does: 'Checks every law' },
    { run: 'purser verify --since 2026-01-31', does: 'Checks what was written since a day' },
  ],
  load: async () => (await import('../../src/operator/verify.ts')).verify,
})
