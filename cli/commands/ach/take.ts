import { dataDirOption, operatorCommand } from '../../operate.ts'

export const achTake = operatorCommand({
  path: 'ach take',
  summary: 'Takes an ACH file that another bank sent',
  description:
    'Checks the whole file first, then applies its entries: returns, notifications of change, credits and debits. A file that was taken before has no further effect. A refused file leaves an exception and exits with 1. Works on the database itself, so it needs no key, and the service may run or not.',
  arguments: [{ name: 'file', description: 'ACH file, at most 64 MiB' }],
  options: [
    {
      flags: '--organisation <id>',
      description: 'Organisation of the file in a sandbox (default: the first one)',
    },
    dataDirOption,
  ],
  examples: [{ run: 'purser ach take returns.ach', does: 'Takes a file' }],
  load: async () => (await import('../../../src/operator/ach/take.ts')).takeFile,
})
