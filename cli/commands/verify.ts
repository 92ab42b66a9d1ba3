import type { Command } from '../command.ts'
import { dataDirOption, operate } from '../own-program.ts'

export const verify: Command = {
  path: 'verify',
  summary: 'Checks the laws of the ledger',
  description:
    'Checks the whole database in one snapshot, while the service runs or not. Where a law does not hold, prints the rows that break it and exits with 1.',
  group: 'Operate',
  options: [dataDirOption],
  examples: [{ run: 'purser verify', does: 'Checks every law' }],
  run: (call) => operate(['verify'], call),
}
