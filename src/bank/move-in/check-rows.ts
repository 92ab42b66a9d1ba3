import { hasRoutingChecksum } from '../../base/routing-number.ts'
import { addressFaults, type Cells, centsIn, instantIn } from './cells.ts'
import { columnsOf, type FileName } from './columns.ts'

/** An account as far as it is known while the history is read. */
interface CheckedAccount {
  line: number
  openedAt: string
  /** The cents so far. */
  balance: number
  /** The cents that the file says. */
  stated: number
  isClosed: boolean
}

/** Checks of rows by themselves and beside the rows before them. Memory holds ids, and nothing else of the history. */
export interface RowChecks {
  /** Notes that rows of a file cannot be read: nothing is said of rows of others that may be about them. */
  noteUnread(name: FileName): void
  faultsOf(name: FileName, cells: Cells, line: number): string[]
  /** The accounts whose history does not end at the balance that their file says. */
  wrongBalances(): { line: number; fault: string }[]
  /** The cents with which all accounts end. */
  balance(): number
  /** The time of the oldest account, and the latest time of all rows; empty without any. */
  times: { oldest: string; latest: string }
}

/** `now` is the time of the organisation that the rows go to. */
export function openChecks({ mode, now }: { mode: 'sandbox' | 'live'; now: string }): RowChecks {
  const accounts = new Map<string, CheckedAccount>()
  const customers = new Map<string, number>()
  /** Ids and numbers of accounts: both lead to the account. */
  const names = new Map<string, number>()
  const seen = {
    'external-accounts': new Map<string, number>(),
    cards: new Map<string, number>(),
    references: new Map<string, number>(),
    history: new Map<string, number>(),
  }
  const times = { oldest: '', latest: '' }
  let before = { at: '', line: 0 }
  const unread = new Set<FileName>()
  const unknownCustomer = (cells: Cells) => (unread.has('customers') ? [] : unknown(customers, cells, 'customerId'))
  const unknownAccount = (cells: Cells) => (unread.has('accounts') ? [] : unknown(accounts, cells, 'accountId'))

  function account(cells: Cells, line: number): string[] {
    const id = cells.get('id') ?? ''
    const faults = twice(names, cells, line)
    if (faults.length > 0) return faults
    const number = cells.get('accountNumber') ?? id
    if (number !== id) faults.push(...twice(names, cells, line, 'accountNumber'))
    const openedAt = instantIn(cells, 'openedAt')
    const [balance, stated] = [centsIn(cells, 'openingBalance'), centsIn(cells, 'balance')]
    const isClosed = cells.get('status') === 'Closed'
    if (isClosed && stated > 0) faults.push('the account is closed, and has money')
    accounts.set(id, { line, openedAt, balance, stated, isClosed })
    if (times.oldest === '' || openedAt < times.oldest) times.oldest = openedAt
    return [...faults, ...unknownCustomer(cells)]
  }

  function booking(cells: Cells, line: number): string[] {
    const at = instantIn(cells, 'at')
    const faults = cells.has('id') ? twice(seen.history, cells, line) : []
    if (at < before.at) faults.push(`at is before that of line ${before.line}: sort the lines by their times`)
    else before = { at, line }
    const own = accounts.get(cells.get('accountId') ?? '')
    if (!own) return [...faults, ...unknownAccount(cells)]
    if (at < own.openedAt) faults.push('at is before the account was opened')
    const balance = own.balance + centsIn(cells, 'amount')
    if (!Number.isSafeInteger(balance)) return [...faults, 'the balance of the account becomes too large']
    own.balance = balance
    return faults
  }

  const rules: Record<FileName, (cells: Cells, line: number) => string[]> = {
    customers: (cells, line) => [...twice(customers, cells, line), ...addressFaults(cells, false)],
    accounts: account,
    'external-accounts': (cells, line) => [
      ...twice(seen['external-accounts'], cells, line),
      ...unknownCustomer(cells),
      ...(mode === 'live' ? checkDigitFaults(cells) : []),
    ],
    cards: (cells, line) => [
      ...twice(seen.cards, cells, line),
      ...(cells.has('processorReference') ? twice(seen.references, cells, line, 'processorReference') : []),
      ...unknownAccount(cells),
      ...(accounts.get(cells.get('accountId') ?? '')?.isClosed ? ['the account of the card is closed'] : []),
      ...addressFaults(cells, cells.get('type') === 'individualDebitCard'),
    ],
    history: booking,
  }

  return {
    times,
    noteUnread: (name) => unread.add(name),
    faultsOf(name, cells, line) {
      const faults = cellFaults(name, cells)
      if (faults.length > 0) {
        unread.add(name)
        return faults
      }
      for (const [, time] of timesIn(cells)) if (time > times.latest) times.latest = time
      return [...futureFaults(cells, now), ...rules[name](cells, line)]
    },
    wrongBalances: () => (unread.has('history') ? [] : [...accounts].flatMap(balanceFault)),
    balance: () => [...accounts.values()].reduce((sum, { stated }) => sum + stated, 0),
  }
}

function balanceFault([id, { line, balance, stated }]: [string, CheckedAccount]): { line: number; fault: string }[] {
  if (balance === stated) return []
  const fault = `balance is ${stated}, and the opening balance and the history of ${id} make ${balance}`
  return [{ line, fault }]
}

function checkDigitFaults(cells: Cells): string[] {
  return hasRoutingChecksum(cells.get('routingNumber') ?? '') ? [] : ['routingNumber has a wrong check digit']
}

function timesIn(cells: Cells): [column: string, time: string][] {
  const columns = ['createdAt', 'openedAt', 'at'].filter((column) => cells.has(column))
  return columns.map((column) => [column, instantIn(cells, column)])
}

function futureFaults(cells: Cells, now: string): string[] {
  return timesIn(cells).flatMap(([column, time]) => (time > now ? [`${column} lies in the future`] : []))
}

function cellFaults(name: FileName, cells: Cells): string[] {
  return [...cells].flatMap(([column, text]) => {
    const fault = columnsOf[name][column]?.check(text)
    return fault === undefined ? [] : [`${column} ${fault}`]
  })
}

function twice(known: Map<string, number>, cells: Cells, line: number, column = 'id'): string[] {
  const id = cells.get(column) ?? ''
  const former = known.get(id)
  if (former !== undefined) return [`the ${column} is that of line ${former}`]
  known.set(id, line)
  return []
}

function unknown(known: ReadonlyMap<string, unknown>, cells: Cells, column: string): string[] {
  const id = cells.get(column) ?? ''
  return known.has(id) ? [] : [`${column} ${JSON.stringify(id.slice(0, 40))} is in no line of its file`]
}
