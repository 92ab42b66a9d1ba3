import { idNumber } from '../base/ids.ts'
import { visitDatabase } from '../database/visit.ts'
import { eraseCustomer } from '../providers/builtin/erasure/erase.ts'
import { agreed } from './ask.ts'
import { type OperatorCommand, readArguments, UsageError } from './command.ts'
import { placeOfRecord } from './organisations/cells.ts'

const USAGE = 'usage: purser customers erase ID [--early] [--yes]'

/** Erases the personal data of a customer, after asking, whether the service runs or not. */
export const customers: OperatorCommand = ([command, ...args]) => {
  if (command !== 'erase') throw new UsageError(USAGE)
  const flag = { type: 'boolean' } as const
  const { values, positionals } = readArguments(args, USAGE, { options: { early: flag, yes: flag }, words: 1 })
  const [id = ''] = positionals
  const customerId = idNumber(id)
  if (customerId === 0) throw new UsageError(`${id} is no id of a customer\n${USAGE}`)
  const early = values.early === true
  return async ({ config, out, closers }) => {
    const settings = config()
    const question = `Erase the personal data of customer ${id}? It cannot be brought back.`
    if (!(await agreed(question, values.yes === true))) return out.result({ id, erased: false }, 'nothing was erased')
    const place = await placeOfRecord(settings, 'customer', customerId, closers)
    const erasure = await visitDatabase(place, (database) => eraseCustomer(database, customerId, { early }), closers)
    const { erased, answers, clearEvents } = erasure
    if (!erased) return out.result({ id, erased: true, alreadyErased: true }, `customer ${id} is already erased`)
    const left =
      clearEvents > 0
        ? `; ${clearEvents} events of a former version keep their data: see docs/operations.md#erasure`
        : ''
    out.result({ id, erased: true, alreadyErased: false, answers, clearEvents }, `customer ${id} is erased${left}`)
  }
}
