import { dataDirOption, operatorCommand } from '../../operate.ts'

export const achReconcile = operatorCommand({
  path: 'ach reconcile',
  summary: 'Compares the ACH files of a settlement day with the ledger',
  description:
    'Sums the entries that settle on a day in all organisations, by files and by the ledger. Exits with 1 if they differ, or if the net amount differs from the statement of the settlement account. Works on the database itself, so it needs no key, and the service may run or not.',
  arguments: [{ name: 'date', description: 'Settlement day, such as 2026-02-03' }],
  options: [
    {
      flags: '--statement <cents>',
      description: 'Net amount of the day by the statement of the settlement account, in cents; negative if money left',
    },
    dataDirOption,
  ],
  examples: [{ run: 'purser ach reconcile 2026-02-03', does: 'Reconciles a day' }],
  load: async () => (await import('../../../src/operator/ach/reconcile.ts')).reconcile,
})
