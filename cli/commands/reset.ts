import { dataDirOption, operatorCommand } from '../operate.ts'

export const reset = operatorCommand({
  path: 'reset',
  summary: 'Deletes the embedded database',
  description:
    'Asks before it deletes. The next start begins with a new bank. Keys and snapshots in the data folder stay.',
  options: [{ flags: '--yes', description: 'Delete without a question' }, dataDirOption],
  examples: [{ run: 'purser reset --yes', does: 'Deletes the bank in ./data' }],
  load: async () => (await import('../../src/operator/reset.ts')).reset,
  knowsRetired: true,
})
