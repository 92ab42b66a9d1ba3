import { dataDirOption, operatorCommand } from '../../operate.ts'

export const archive = operatorCommand({
  path: 'archive',
  summary: 'Writes events and transfers to files, or checks such files',
  description:
    'Writes the events and transfers from before a date as compressed lines of JSON, with a manifest of hashes, while the service runs or not. If a run is interrupted, the next one continues it. With --check, proves that no file has changed and exits with 1 if one has.',
  options: [
    { flags: '--before <date>', description: 'Date of the past, such as 2026-01-31' },
    { flags: '--to <folder>', description: 'Folder of the archive: an empty one, or one to continue' },
    { flags: '--check <folder>', description: 'Archive to check' },
    dataDirOption,
  ],
  examples: [
    { run: 'purser archive --before 2026-01-01 --to archive-2025', does: 'Writes everything of before 2026' },
    { run: 'purser archive --check archive-2025', does: 'Checks the files of an archive' },
  ],
  load: async () => (await import('../../../src/operator/archive/archive.ts')).archive,
})
