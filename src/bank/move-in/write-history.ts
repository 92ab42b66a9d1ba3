import type { EventDraft } from '../../events/event.ts'
import {
  insertInternalAccount,
  insertPastTransfers,
  type PastAccount,
  updatePastAccounts,
} from '../../ledger/past-transfers.ts'
import { internalNames, type Transfer } from '../../ledger/records.ts'
import { transaction as transactionOf } from '../accounts/transaction-view.ts'
import { type Cells, centsIn, instantIn } from './cells.ts'
import { type FormerId, findAccountNumber, insertFormerIds } from './move-in.sql.ts'
import { type MovedAccount, type MoveIn, portionsOf, record } from './write-records.ts'

const PORTION = 1_000

interface Booking {
  account: MovedAccount
  at: string
  cents: number
  party: string | null
  description: string | null
  former: string | undefined
}

/** The accounts as they are after their last transfer, by id. */
type Ends = Map<number, PastAccount>

interface Ledger {
  move: MoveIn
  ends: Ends
  /** The account on the other side of all. */
  other: { id: number; accountNumber: string }
}

/**
 * Books opening balances and the history, each at its own time and in the order of the times, against one internal account. That
 * account ends with what all accounts have, below zero. Returns how many transfers that were.
 */
export async function writeHistory(move: MoveIn): Promise<number> {
  const { transaction, organisationId, ids } = move
  const id = -(await ids.next())
  await insertInternalAccount(transaction, {
    id,
    organisationId,
    kind: 'moved_in',
    number: 0,
    name: internalNames.moved_in,
  })
  const ledger: Ledger = {
    move,
    ends: new Map(),
    other: { id, accountNumber: await findAccountNumber(transaction, id) },
  }
  const openings = [...move.accounts.values()]
    .filter(({ opening }) => opening !== 0)
    .sort((one, other) => (one.openedAt < other.openedAt ? -1 : 1))
  let opened = 0
  let count = 0
  const book = async (bookings: Booking[]) => {
    count += bookings.length
    for (let from = 0; from < bookings.length; from += PORTION)
      await write(ledger, bookings.slice(from, from + PORTION))
  }
  for await (const portion of portionsOf(move, 'history', PORTION)) {
    const bookings: Booking[] = []
    for (const cells of portion) {
      const booking = bookingOf(move, cells)
      for (; (openings[opened]?.openedAt ?? '~') <= booking.at; opened++) bookings.push(openingOf(openings[opened]))
      bookings.push(booking)
    }
    await book(bookings)
  }
  await book(openings.slice(opened).map(openingOf))
  const ends = [...ledger.ends.values()]
  for (let from = 0; from < ends.length; from += PORTION) {
    await updatePastAccounts(transaction, ends.slice(from, from + PORTION))
  }
  return count
}

function openingOf(account: MovedAccount | undefined): Booking {
  if (!account) throw new Error('an opening balance without an account')
  return {
    account,
    at: account.openedAt,
    cents: account.opening,
    party: null,
    description: 'Opening balance',
    former: undefined,
  }
}

function bookingOf({ accounts }: MoveIn, cells: Cells): Booking {
  const account = accounts.get(cells.get('accountId') ?? '')
  if (!account) throw new Error('a transaction without an account')
  return {
    account,
    at: instantIn(cells, 'at'),
    cents: centsIn(cells, 'amount'),
    party: cells.get('counterparty') ?? null,
    description: cells.get('description') ?? null,
    former: cells.get('id'),
  }
}

/** Writes transfers with their events and former ids. */
async function write({ move, ends, other }: Ledger, bookings: Booking[]): Promise<void> {
  const { transaction, organisationId, routingNumber, ids } = move
  const transfers: Transfer[] = []
  const events: EventDraft[] = []
  const formers: FormerId[] = []
  for (const { account, at, cents, party, description, former } of bookings) {
    const isCredit = cents > 0
    const id = await ids.nextPair()
    const mine = moved(ends, account.id, cents, at)
    const others = moved(ends, other.id, -cents, at)
    const [debit, credit] = isCredit ? [others, mine] : [mine, others]
    const amount = Math.abs(cents)
    const common = { organisationId, amount, sourceKind: 'moved_in' as const, party, description, createdAt: at }
    transfers.push({
      ...common,
      id,
      sourceId: null,
      debitAccountId: debit.id,
      debitSeq: debit.seq,
      debitBalance: debit.balance,
      creditAccountId: credit.id,
      creditSeq: credit.seq,
      creditBalance: credit.balance,
    })
    const side = isCredit ? id + 1 : id
    const data = transactionOf(
      {
        ...common,
        id: side,
        accountId: account.id,
        customerId: account.customerId,
        direction: isCredit ? 'Credit' : 'Debit',
        balance: mine.balance,
        payment: null,
        other: { id: other.id, customerId: null, name: internalNames.moved_in, accountNumber: other.accountNumber },
      },
      { routingNumber },
    )
    events.push({ type: 'transaction.created', id: data.id, version: 1, data })
    if (former !== undefined) formers.push({ kind: 'transaction', former, id: side })
  }
  await insertPastTransfers(transaction, transfers)
  if (formers.length > 0) await insertFormerIds(transaction, organisationId, formers)
  await record(move, events)
}

/** An account one transfer further. */
function moved(ends: Ends, id: number, cents: number, at: string): PastAccount {
  const before = ends.get(id)
  const after = { id, balance: (before?.balance ?? 0) + cents, seq: (before?.seq ?? 0) + 1, postedAt: at }
  ends.set(id, after)
  return after
}
