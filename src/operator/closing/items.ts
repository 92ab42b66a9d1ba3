import { UsageError } from '../../../ground/failure.ts'
import { listItems } from '../../bank/closing/lists.ts'
import { reconcile } from '../../bank/closing/reconcile.ts'
import {
  type BookingAccount,
  bookingAccounts,
  directItem,
  endMatchOf,
  matchByHand,
  noteOn,
  splitItem,
} from '../../bank/closing/settle-items.ts'
import { idNumber } from '../../base/ids.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { dayIn } from './days.ts'
import { itemId, saidBy, textOf, visitClosing } from './visit-closing.ts'

/** Lists open items, or the items of a day with their matches. */
export const listSettlementItems: OperatorCommand = async (call) => {
  const day = call.options.day === undefined ? undefined : dayIn(String(call.options.day))
  const rows = await visitClosing(call, async ({ core, bank }) => {
    await reconcile(core.database, bank.ledgers, bank.windowDays)
    return listItems(core.database, day)
  })
  const headings = {
    ...{
      id: 'ID',
      side: 'SIDE',
      day: 'DAY',
      amount: 'AMOUNT',
      description: 'DESCRIPTION',
      hint: 'HINT',
      owner: 'OWNER',
    },
    ...{ note: 'NOTE', match: 'MATCH', reason: 'REASON' },
  }
  await call.out.records(rows, headings, { money: ['amount'] })
}

/** Carries out what a person decided about an item, and matches anew what follows from it. */
function deciding(work: (call: OperatorCall, id: number, visited: Visited) => Promise<string>): OperatorCommand {
  return async (call) => {
    const id = itemId(call.args[0])
    await visitClosing(call, async (visited) => {
      const text = await work(call, id, visited)
      await reconcile(visited.core.database, visited.bank.ledgers, visited.bank.windowDays)
      call.out.result({ id: String(id) }, text)
    })
  }
}
type Visited = Parameters<Parameters<typeof visitClosing>[1]>[0]

export const matchSettlementItems = deciding(async (call, id, { core }) => {
  const ids = [id, ...call.args.slice(1).map(itemId)]
  await matchByHand(core.database, ids, saidBy(call))
  return `items ${ids.join(', ')} are matched`
})

export const unmatchSettlementItem = deciding(async (call, id, { core }) => {
  await endMatchOf(core.database, id, saidBy(call))
  return `the match of item ${id} is ended`
})

export const splitSettlementItem = deciding(async (call, id, { core }) => {
  const amounts = call.args.slice(1).map(Number)
  await splitItem(core.database, id, amounts, saidBy(call))
  return `item ${id} is split into ${amounts.length} parts`
})

export const bookSettlementItem = deciding(async (call, id, { core }) => {
  const { to, organisation } = call.options
  const organisationId = organisation === undefined ? undefined : idNumber(String(organisation))
  if (typeof to !== 'string' || !(to in bookingAccounts)) {
    throw new UsageError(`--to takes ${Object.keys(bookingAccounts).join(', ')}`)
  }
  await core.builtin.bookItem(id, { ...saidBy(call), to: to as BookingAccount, organisationId })
  return `item ${id} is booked to ${to}`
})

/** Names who answers for an item that stays open, or says which way its money went. */
export const noteSettlementItem = deciding(async (call, id, { core }) => {
  const { owner, direction } = call.options
  const said = saidBy(call)
  if (direction !== undefined) {
    if (direction !== 'credit' && direction !== 'debit') throw new UsageError('--direction takes credit or debit')
    await directItem(core.database, id, direction, said)
    return `item ${id} is a ${direction}`
  }
  const name = owner === undefined ? said.person : textOf(owner, '--owner')
  await noteOn(core.database, id, name, said.reason)
  return `${name} answers for item ${id}`
})
