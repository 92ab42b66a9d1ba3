import { dataDirOption, operatorCommand } from '../../operate.ts'

export const achExceptions = operatorCommand({
  path: 'ach exceptions',
  summary: 'Lists ACH files and entries that need the operator',
  description:
    'Refused files, returns and notifications that match nothing or cannot be applied. The money of an open exception is in the suspense account. Works on the database itself, so it needs no key, and the service may run or not. A cell that is away is named, and the exit code is 5.',
  options: [dataDirOption],
  examples: [{ run: 'purser ach exceptions', does: 'Lists the open exceptions of all organisations' }],
  load: async () => (await import('../../../src/operator/ach/exceptions.ts')).listOpenExceptions,
})
