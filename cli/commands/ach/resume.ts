import { dataDirOption, operatorCommand } from '../../operate.ts'

export const achResume = operatorCommand({
  path: 'ach resume',
  summary: 'Lets ACH files leave again after a restore',
  description:
    'In live mode no ACH file leaves and none is taken while the database and the journal in the outgoing folder disagree, such as after a restore. Without options the command shows the files that left and that the database does not know, the files that the folder does not know, and the payments that would leave; it exits with 1 while files are held. Say for each file whether it left. Payments of a file that left are in it from then on and settle with it; an entry whose payment the database has lost becomes an exception, with its money in suspense. The command can be repeated. Works on the database itself, so it needs no key, and the service may run or not.',
  arguments: [
    {
      name: 'files',
      description: 'Further files that left, so that --already-sent sent/*.ach names all of them',
      optional: true,
      variadic: true,
    },
  ],
  options: [
    {
      flags: '--already-sent <file>',
      description: 'File that left, from the receiving bank or from the archive of the upload',
      repeatable: true,
    },
    { flags: '--not-sent <name>', description: 'Name of a file that did not leave', repeatable: true },
    {
      flags: '--trust-database',
      description: 'All other files left that the database calls delivered: the outgoing folder is new',
    },
    dataDirOption,
  ],
  examples: [{ run: 'purser ach resume', does: 'Shows why files are held, and what would leave' }],
  load: async () => (await import('../../../src/operator/ach/resume.ts')).resume,
})
