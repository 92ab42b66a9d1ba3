import type { OptionValues } from '../../../ground/command-call.ts'
import { UsageError } from '../../../ground/failure.ts'
import type { Resolution } from '../../bank/ach/incoming/resolve-exception.ts'
import { idNumber } from '../../base/ids.ts'
import { isCleanText } from '../../base/text.ts'
import type { OperatorCommand } from '../command.ts'
import { placeOfRecord } from '../place-of-record.ts'
import { visitBank } from './bank.ts'

const MAX_REASON = 500

/** Resolves an exception with a written reason, and says where its money goes. */
export const resolveException: OperatorCommand = async (call) => {
  const { args, options, config, out, closers } = call
  const [id = ''] = args
  const resolution = wanted(options)
  if (idNumber(id) === 0) throw new UsageError(`${id} is no id of an exception`)
  const place = await placeOfRecord(config(), 'achException', idNumber(id), closers)
  const resolved = await visitBank(call, place, ({ builtin }) => builtin.resolveException(idNumber(id), resolution))
  out.result(resolved, `ACH exception ${id} is resolved${whereOf(resolution)}`)
}

function wanted({ reason, account, writeOff, dishonor, contest }: OptionValues): Resolution {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > MAX_REASON || !isCleanText(reason)) {
    throw new UsageError(`--reason takes a text of up to ${MAX_REASON} characters`)
  }
  if ([account, writeOff, dishonor, contest].filter((each) => each !== undefined && each !== false).length > 1)
    throw new UsageError('--account, --write-off, --dishonor and --contest exclude each other')
  if (account !== undefined) return { reason, to: 'account', accountId: idNumber(String(account)) }
  if (dishonor !== undefined) return { reason, to: 'dishonor', code: String(dishonor) }
  if (contest !== undefined) return { reason, to: 'contest', code: String(contest) }
  return { reason, to: writeOff ? 'writeOff' : 'none' }
}

function whereOf(resolution: Resolution): string {
  if (resolution.to === 'account') return `; its money is booked to account ${resolution.accountId}`
  if (resolution.to === 'writeOff') return '; its money is written off'
  return 'code' in resolution ? `; its entry goes back with ${resolution.code} in the next file` : ''
}
