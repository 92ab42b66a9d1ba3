import { dataDirOption, operatorCommand } from '../../operate.ts'

export const drillRestore = operatorCommand({
  path: 'drill restore',
  summary: 'Restores the newest backup beside the running bank, and proves it',
  description:
    'Copies a base backup, compares its files with its manifest, starts a PostgreSQL server of its own on the copy, reads the archived log, and checks the laws of the ledger, the chain of events, the encryption key and the counts. Prints how long each step took, and removes the copy. The copy sends nothing: no service runs on it, and its server has no network. Exits with 1 if the proof fails. Run it as the user of the service or as root, with the variables of the service and room for the copy.',
  arguments: [{ name: 'folder', description: 'Base backup of PostgreSQL 18, or a folder of several' }],
  options: [
    { flags: '--archive <folder>', description: 'Archived log (WAL), which is read up to its end or to --until' },
    { flags: '--until <time>', description: 'Point in time, such as 2027-01-31T12:00:00Z' },
    { flags: '--cell <name>', description: 'Cell of the backup (default: home)' },
    { flags: '--into <folder>', description: 'Empty folder for the copy (default: a temporary one)' },
    { flags: '--keep', description: 'Keep the copy, for example to look into it' },
    {
      flags: '--migrate',
      description: 'Apply the migrations of this version to the copy first: the rehearsal of an upgrade',
    },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser drill restore /backups --archive /archive',
      does: 'Restores the newest backup and all archived log',
    },
    { run: 'purser drill restore /backups --migrate', does: 'Rehearses an upgrade on a copy' },
  ],
  load: async () => (await import('../../../src/operator/drill/drill.ts')).restoreBackup,
  knowsRetired: true,
})
