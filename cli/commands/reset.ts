import type { Command } from '../command.ts'
import { dataDirOption, operate } from '../own-program.ts'

export const reset: Command = {
  path: 'reset',
  summary: 'Deletes the embedded database',
  description:
    'Asks before it deletes. The next start begins with a new bank. Keys and snapshots in the data folder stay.',
  group: 'Operate',
  isLocal: true,
  options: [{ flags: '--yes', description: 'Delete without a question' }, dataDirOption],
  examples: [{ run: 'purser reset --yes', does: 'Deletes the bank in ./data' }],
  run: (call) => operate(['reset'], call),
}
