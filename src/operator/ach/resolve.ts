import { idNumber } from '../../base/ids.ts'
import { isCleanText } from '../../base/text.ts'
import type { Resolution } from '../../providers/builtin/ach/incoming/resolve-exception.ts'
import { readArguments, type Surroundings, UsageError } from '../command.ts'
import { placeOfRecord } from '../organisations/cells.ts'
import { visitBank } from './bank.ts'

const MAX_REASON = 500

/** Resolves an exception with a written reason, and says where its money goes. */
export function resolve(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  const text = { type: 'string' } as const
  const { positionals, values } = readArguments(args, usage, {
    words: 1,
    options: { reason: text, account: text, 'write-off': { type: 'boolean' } },
  })
  const [id = ''] = positionals
  const resolution = wanted(values, usage)
  if (idNumber(id) === 0) throw new UsageError(`${id} is no id of an exception\n${usage}`)
  return async (surroundings) => {
    const { config, closers } = surroundings
    const place = await placeOfRecord(config(), 'achException', idNumber(id), closers)
    const resolved = await visitBank(surroundings, place, ({ builtin }) =>
      builtin.resolveException(idNumber(id), resolution),
    )
    surroundings.out.result(resolved, `ACH exception ${id} is resolved${whereOf(resolution)}`)
  }
}

function wanted(values: Record<string, unknown>, usage: string): Resolution {
  const { reason, account } = values
  const writeOff = values['write-off'] === true
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > MAX_REASON || !isCleanText(reason)) {
    throw new UsageError(`--reason takes a text of up to ${MAX_REASON} characters\n${usage}`)
  }
  if (account === undefined) return { reason, to: writeOff ? 'writeOff' : 'none' }
  if (writeOff) throw new UsageError(`--account and --write-off exclude each other\n${usage}`)
  return { reason, to: 'account', accountId: idNumber(String(account)) }
}

function whereOf(resolution: Resolution): string {
  if (resolution.to === 'account') return `; its money is booked to account ${resolution.accountId}`
  return resolution.to === 'writeOff' ? '; its money is written off' : ''
}
