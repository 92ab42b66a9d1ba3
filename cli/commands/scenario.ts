import { UsageError } from '../../ground/failure.ts'
import type { Command } from '../command.ts'
import { idempotencyKeyOption } from '../operation-command.ts'

export const scenario: Command = {
  path: 'scenario',
  summary: 'Makes a demo world and prints its ids',
  description:
    'Makes a customer with accounts, cards, payments, a statement and more, for trying things out. The same seed makes the same names and amounts.',
  group: 'Develop',
  options: [
    { flags: '--seed <number>', description: 'Number that decides names and amounts' },
    { flags: '--debits', description: 'The customer also funds the account by debits, and one of them is returned' },
    idempotencyKeyOption,
  ],
  examples: [{ run: 'purser scenario --seed 7', does: 'Makes a demo world; its ids are the output' }],
  run: async ({ purser, options, out }) => {
    const { seed, debits, idempotencyKey } = options as { seed?: string; debits?: true; idempotencyKey?: string }
    if (seed !== undefined && !/^\d{1,15}$/.test(seed)) throw new UsageError(`--seed takes a whole number, not ${seed}`)
    const body = { ...(seed !== undefined && { seed: Number(seed) }), ...(debits && { debits }) }
    out.record(await purser().sandbox.scenarios.create(body, idempotencyKey ? { idempotencyKey } : {}))
  },
}
