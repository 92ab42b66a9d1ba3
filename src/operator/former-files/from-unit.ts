import { pino } from 'pino'
import { UsageError } from '../../../ground/failure.ts'
import type { DepositAccount } from '../../banking/accounts/account.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import { openProgress } from '../../base/progress.ts'
import { StartupError } from '../../base/startup-error.ts'
import { counted } from '../../base/text.ts'
import { openUnitRecordsOf, type UnitRecords } from '../../connectors/connectors.ts'
import type { OperatorCommand } from '../command.ts'
import { type FormerFolder, movedCards, openFormerFolder } from './folder.ts'

/** Cents by which two figures of Unit differ. */
interface Difference {
  accountId: string
  /** The first transaction behind the difference; absent if the account differs from its last one. */
  transactionId?: string
  /** The figure of Unit. */
  stated: number
  /** The sum of the figures before it. */
  made: number
  cents: number
}

/** An account and where its transactions have led so far. */
interface Walked {
  account: DepositAccount
  /** When it begins: a transaction may be older than the record. */
  from: string
  opening: number
  /** Undefined before the first transaction. */
  balance: number | undefined
}

interface Walk {
  records: UnitRecords
  folder: FormerFolder
  /** Notes records that are not in the files. */
  leave: (records: number, reason: string) => void
  progress: (now: string) => void
}

/** Reads an organisation at Unit into files that purser import takes, and says every cent that does not add up. */
export const exportUnit: OperatorCommand = async ({ options, config, out, closers, version }) => {
  const { to } = options
  if (typeof to !== 'string') throw new UsageError('name a new folder with --to')
  const settings = config()
  if (!settings.unit) {
    throw new StartupError(
      'set PURSER_BANKING_PROVIDER=unit, PURSER_UNIT_URL and PURSER_UNIT_TOKEN, as for the service',
    )
  }
  const folder = openFormerFolder(to)
  closers.add(async () => folder.drop())
  const leftOut = new Map<string, number>()
  const leave: Walk['leave'] = (records, reason) => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + records)
  const progress = openProgress('reading Unit')
  const records = openUnitRecordsOf(settings.unit, settings, {
    ...{ version, closers, leftOut: leave },
    log: pino({ level: 'silent' }),
  })
  let found: Awaited<ReturnType<typeof writeUnit>>
  try {
    found = await writeUnit({ records, folder, leave, progress: (now) => progress.at(0, 1, now) })
    folder.finish()
  } finally {
    progress.clear()
    folder.drop()
  }
  for (const [reason, count] of leftOut) out.result({ leftOut: count, reason }, `${count} left out: ${reason}`)
  for (const difference of found.differences) out.result(difference, sentenceOf(difference))
  const { rows } = folder
  if (out.forPeople) {
    const shown = Object.entries(rows).map(([what, count]) => ({ what, rows: count }))
    await out.records([...shown, { what: 'cents in accounts', rows: found.balance }], { what: 'WHAT', rows: 'FILES' })
  }
  const { differences } = found
  const verdict =
    differences.length === 0
      ? 'Every balance of Unit is what its transactions make.'
      : `${counted(differences.length, 'figure')} of Unit differ: purser import refuses the files until they add up.`
  out.result(
    { folder: folder.path, ...rows, balance: found.balance, differences: differences.length },
    `The records of Unit are in ${folder.path}. ${verdict}`,
  )
  return differences.length > 0 || leftOut.size > 0 ? 1 : 0
}

async function writeUnit(walk: Walk): Promise<{ balance: number; differences: Difference[] }> {
  const { records, folder, leave } = walk
  const addresses = await writeCustomers(walk)
  const walked = new Map<string, Walked>()
  for await (const account of records.accounts()) {
    if (!addresses.has(account.customerId)) leave(1, 'accounts of customers that are not in the files')
    else walked.set(account.id, { account, from: account.createdAt, opening: 0, balance: undefined })
  }
  const differences = await writeTransactions(walk, walked)
  let balance = 0
  // Read once more behind the transactions: money that moved in between is a difference, and not lost.
  for await (const account of records.accounts()) {
    const found = walked.get(account.id)
    if (!found) continue
    const made = found.balance ?? account.balance
    if (made !== account.balance) differences.push(differenceOf(account.id, account.balance, made))
    balance += account.balance
    folder.add('accounts', accountRow(found, account))
  }
  await writeCards(walk, walked, addresses)
  return { balance, differences }
}

async function writeCards(
  { records, folder, leave }: Walk,
  walked: Map<string, Walked>,
  addresses: Map<string, object>,
): Promise<void> {
  for await (const card of records.cards()) {
    const { status } = card
    const account = walked.get(card.accountId)
    if (!movedCards.includes(status)) leave(1, `cards that are ${status}`)
    else if (!account || account.account.status === 'Closed') leave(1, 'cards of accounts that are closed or not read')
    else
      folder.add('cards', {
        ...{ id: card.id, accountId: card.accountId, type: card.type, last4Digits: card.last4Digits, status },
        ...{ expirationDate: card.expirationDate.slice(0, 'YYYY-MM'.length), createdAt: card.createdAt },
        ...(card.type === 'individualDebitCard' && {
          design: card.design,
          ...(card.shippingAddress ?? addresses.get(account.account.customerId)),
        }),
      })
  }
}

/** Writes customers with their external accounts. Returns the addresses of all customers. */
async function writeCustomers({ records, folder, progress }: Walk): Promise<Map<string, object>> {
  const addresses = new Map<string, object>()
  for await (const { id, name, email, phone, address, createdAt } of records.customers()) {
    addresses.set(id, address ?? {})
    folder.add('customers', { id, name, email, phone, ...address, createdAt })
    if (addresses.size % 100 === 0) progress(`${addresses.size} customers`)
  }
  for (const customerId of addresses.keys()) {
    for await (const { id, name, type, routingNumber, accountNumber, accountType } of records.externalAccounts(
      customerId,
    ))
      folder.add('external-accounts', { id, customerId, name, type, routingNumber, accountNumber, accountType })
  }
  return addresses
}

/** Writes the transactions of all accounts, and returns those whose balance is not that of the one before and the amount. */
async function writeTransactions(
  { records, folder, leave, progress }: Walk,
  walked: Map<string, Walked>,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const transaction of inOrder(records.transactions())) {
    const found = walked.get(transaction.accountId ?? '')
    if (!found) {
      leave(1, 'transactions of accounts that are not deposit accounts, or not in the files')
      continue
    }
    const { id, createdAt: at, direction, balance } = transaction
    const amount = direction === 'Credit' ? transaction.amount : -transaction.amount
    if (found.balance === undefined) {
      found.opening = balance - amount
      if (at < found.from) found.from = at
    } else if (found.balance + amount !== balance) {
      differences.push({ ...differenceOf(found.account.id, balance, found.balance + amount), transactionId: id })
    }
    found.balance = balance
    if (amount === 0) leave(1, 'transactions of 0 cents')
    else folder.add('history', { id, accountId: found.account.id, at, amount, ...wordsOf(transaction) })
    if (folder.rows.history % 1_000 === 0) progress(`${folder.rows.history} transactions`)
  }
  return differences
}

/** Orders transactions of the same time by their ids: a list that is sorted by time says nothing about them. */
async function* inOrder(transactions: AsyncIterable<ListedTransaction>): AsyncGenerator<ListedTransaction> {
  let same: ListedTransaction[] = []
  const sorted = () => same.sort((one, other) => Number(one.id) - Number(other.id))
  for await (const transaction of transactions) {
    if (same[0] && same[0].createdAt !== transaction.createdAt) {
      yield* sorted()
      same = []
    }
    same.push(transaction)
  }
  yield* sorted()
}

/** The summary of Unit is that of this bank: the name and the description. */
function wordsOf({ counterparty, summary }: ListedTransaction): { counterparty: string; description: string } {
  const { name } = counterparty
  const start = `${name}  |  `
  return { counterparty: name, description: summary.startsWith(start) ? summary.slice(start.length) : summary }
}

function accountRow({ from, opening, balance }: Walked, account: DepositAccount) {
  const { id, customerId, accountNumber, status } = account
  const openingBalance = balance === undefined ? account.balance : opening
  return { id, customerId, openedAt: from, openingBalance, balance: account.balance, status, accountNumber }
}

function differenceOf(accountId: string, stated: number, made: number): Difference {
  return { accountId, stated, made, cents: stated - made }
}

function sentenceOf({ accountId, transactionId, stated, made, cents }: Difference): string {
  const what = transactionId === undefined ? `the account ${accountId}` : `transaction ${transactionId} of ${accountId}`
  return `${what}: Unit says ${stated}, and the transactions before make ${made}: ${cents} cents`
}
