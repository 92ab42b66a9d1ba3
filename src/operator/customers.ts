import { UsageError } from '../../ground/failure.ts'
import { eraseCustomer } from '../bank/erasure/erase.ts'
import { idNumber } from '../base/ids.ts'
import { visitDatabase } from '../database/visit.ts'
import { agreed } from './ask.ts'
import type { OperatorCommand } from './command.ts'
import { placeOfRecord } from './place-of-record.ts'

/** Erases the personal data of a customer, after asking, whether the service runs or not. */
export const eraseCustomerData: OperatorCommand = async (call) => {
  const { args, options, config, out, closers } = call
  const [id = ''] = args
  const customerId = idNumber(id)
  if (customerId === 0) throw new UsageError(`${id} is no id of a customer`)
  const early = options.early === true
  const settings = config()
  const question = `Erase the personal data of customer ${id}? It cannot be brought back.`
  if (!(await agreed(call, question))) return out.result({ id, erased: false }, 'nothing was erased')
  const place = await placeOfRecord(settings, 'customer', customerId, closers)
  const erasure = await visitDatabase(place, (database) => eraseCustomer(database, customerId, { early }), closers)
  const { erased, answers, clearEvents } = erasure
  if (!erased) return out.result({ id, erased: true, alreadyErased: true }, `customer ${id} is already erased`)
  const left =
    clearEvents > 0 ? `; ${clearEvents} events of a former version keep their data: see docs/operations.md#erasure` : ''
  out.result({ id, erased: true, alreadyErased: false, answers, clearEvents }, `customer ${id} is erased${left}`)
}
