import { dataDirOption, operatorCommand } from '../../operate.ts'

export const achResolve = operatorCommand({
  path: 'ach resolve',
  summary: 'Resolves an exception of an ACH file',
  description:
    'The reason is kept, and achException.resolved is emitted, which is also in the audit log. If the exception has money in suspense, book it to an account of a customer of the organisation, write it off, or send the entry back to the other bank with the next file. An exception is resolved once. Works on the database itself, so it needs no key, and the service may run or not.',
  arguments: [{ name: 'id', description: 'Id of the exception' }],
  options: [
    { flags: '--reason <text>', description: 'Reason, up to 500 characters', required: true },
    { flags: '--account <id>', description: 'Account of the customer that the money is for; a debit is taken from it' },
    { flags: '--write-off', description: 'Book the money to the account of amounts that are written off' },
    {
      flags: '--dishonor <code>',
      description: 'Send a return back that is wrong or late: R61, R62, R67, R68, R69 or R70',
    },
    { flags: '--contest <code>', description: 'Send the dishonor of a return back: R71 to R77' },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser ach resolve "$EXCEPTION" --reason "The sender sends another file"',
      does: 'Notes how the exception of a refused file ended',
    },
  ],
  load: async () => (await import('../../../src/operator/ach/resolve.ts')).resolveException,
})
