import { UsageError } from '../../../ground/failure.ts'
import { type ReversalReason, reversalReasons } from '../../banking/payments/payment-link.ts'
import { addMs, parseInstant } from '../../base/clock.ts'
import { idNumber } from '../../base/ids.ts'
import { StartupError } from '../../base/startup-error.ts'
import { cellsOf } from '../../cells/settings.ts'
import type { OperatorCommand } from '../command.ts'
import { visitBank } from './bank.ts'

/** Takes back the payments of a file or of one of its batches, in all cells. */
export const reverseFile: OperatorCommand = async (call) => {
  const { args, options, out, config } = call
  const [id = ''] = args
  const { batch, reason, discovered } = options as { batch?: string; reason?: string; discovered?: string }
  if (idNumber(id) === 0) throw new UsageError(`${id} is no id of a file`)
  if (batch !== undefined && !/^[1-9]\d{0,3}$/.test(batch)) throw new UsageError('--batch takes the number of a batch')
  const known = reversalReasons.find((each): each is ReversalReason => each === reason)
  if (!known) throw new UsageError(`--reason takes ${reversalReasons.join(', ')}`)
  const discoveredAt = discovered === undefined ? undefined : parseInstant(discovered)
  if (discovered !== undefined && discoveredAt === undefined)
    throw new UsageError('--discovered takes an RFC 3339 date-time or YYYY-MM-DD')
  const wanted = {
    ...{ fileId: idNumber(id), batch: batch === undefined ? undefined : Number(batch) },
    ...{ reason: known, discoveredAt: discoveredAt && addMs(discoveredAt, 0) },
  }
  let reversed = 0
  const refused: { paymentId: string; code: string; detail: string }[] = []
  for (const place of cellsOf(config())) {
    const own = await visitBank(call, place, ({ builtin }) => builtin.reverseFile(wanted))
    reversed += own.reversed
    refused.push(...own.refused)
  }
  const what = batch === undefined ? `ACH file ${id}` : `batch ${batch} of ACH file ${id}`
  if (reversed + refused.length === 0) throw new StartupError(`${what} has no payments that have left`)
  for (const { paymentId, detail } of refused) out.note(`payment ${paymentId}: ${detail}`)
  out.result(
    { id, ...(batch !== undefined && { batch: Number(batch) }), reversed, refused },
    `${what}: ${reversed} payments are taken back, ${refused.length} are not`,
  )
  return refused.length === 0 ? 0 : 1
}
