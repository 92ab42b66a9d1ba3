import type { Command } from '../../command.ts'
import { dataDirOption, operated } from '../../operate.ts'

export const achResolve: Command = {
  path: 'ach resolve',
  summary: 'Resolves an exception of an ACH file',
  description:
    'The reason is kept, and achException.resolved is emitted, which is also in the audit log. If the exception has money in suspense, say whether it goes to an account of a customer of the organisation or is written off. An exception is resolved once. Works on the database itself, so it needs no key, and the service may run or not.',
  group: 'Operate',
  isLocal: true,
  arguments: [{ name: 'id', description: 'Id of the exception' }],
  options: [
    { flags: '--reason <text>', description: 'Reason, up to 500 characters', required: true },
    { flags: '--account <id>', description: 'Account of the customer that the money is for; a debit is taken from it' },
    { flags: '--write-off', description: 'Book the money to the account of amounts that are written off' },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser ach resolve "$EXCEPTION" --reason "The sender sends another file"',
      does: 'Notes how the exception of a refused file ended',
    },
  ],
  run: operated(async () => (await import('../../../src/operator/ach/resolve.ts')).resolveException),
}
