import { dataDirOption, operatorCommand } from '../operate.ts'

const name = { name: 'name', description: 'Name of the snapshot: letters, digits, dots, - and _' }

export const snapshotSave = operatorCommand({
  path: 'snapshot save',
  summary: 'Saves a copy of the bank',
  description:
    'Copies the embedded database to the folder snapshots of the data folder. A service that runs goes on. The keys in the data folder are not part of a snapshot.',
  arguments: [name],
  options: [{ flags: '--force', description: 'Replace a snapshot of that name' }, dataDirOption],
  examples: [{ run: 'purser snapshot save before-tests', does: 'Saves the bank as it is' }],
  load: async () => (await import('../../src/operator/snapshot.ts')).save,
  knowsRetired: true,
})

export const snapshotList = operatorCommand({
  path: 'snapshot list',
  summary: 'Lists the snapshots of the bank',
  options: [dataDirOption],
  examples: [{ run: 'purser snapshot list', does: 'Lists the snapshots with their time and size' }],
  load: async () => (await import('../../src/operator/snapshot.ts')).list,
  knowsRetired: true,
})

export const snapshotRestore = operatorCommand({
  path: 'snapshot restore',
  summary: 'Replaces the bank by a snapshot',
  description:
    'Asks before it replaces the bank. A service that runs answers its requests in progress and starts again with the snapshot, at the same address; the command waits for it. The encryption key must be the one of the snapshot. Keys that were created after the snapshot no longer exist.',
  arguments: [name],
  options: [{ flags: '--yes', description: 'Replace without a question' }, dataDirOption],
  examples: [{ run: 'purser snapshot restore before-tests --yes', does: 'Brings the bank back as it was' }],
  load: async () => (await import('../../src/operator/snapshot.ts')).restore,
  knowsRetired: true,
})

export const snapshotDelete = operatorCommand({
  path: 'snapshot delete',
  summary: 'Deletes a snapshot',
  arguments: [name],
  options: [dataDirOption],
  examples: [{ run: 'purser snapshot delete before-tests', does: 'Deletes a snapshot' }],
  load: async () => (await import('../../src/operator/snapshot.ts')).remove,
  knowsRetired: true,
})
