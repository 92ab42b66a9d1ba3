import { StartupError } from '../../base/startup-error.ts'
import { clearNumber } from '../../secrets/numbers.ts'
import { openSeal, type Seal } from '../../secrets/seal.ts'
import type { OperatorCall } from '../command.ts'
import { readEncrypted } from '../organisation-files/age.ts'
import {
  type ArchiveLine,
  type ArchiveManifest,
  faultAt,
  isObject,
  linesOf,
  manifestOf,
  parsedLine,
} from '../organisation-files/format.ts'
import { type FormerFolder, movedCards, openFormerFolder } from './folder.ts'

/** A row of an archive: the columns of its table. */
// biome-ignore lint/suspicious/noExplicitAny: the columns are those of the table; what the files then hold is checked by their import
type Row = Record<string, any>

/** One side of a transfer, on the account of a customer. */
interface Side {
  id: number
  accountId: number
  seq: number
  at: string
  amount: number
  counterparty: string
  description: string
}

interface Reading {
  folder: FormerFolder
  seal: Seal
  customers: Map<number, Row>
  /** Of customers, and internal ones. */
  accounts: Map<number, Row>
  payments: Map<number, { accountId: number; name: string; description: string }>
  sides: Side[]
  leave: (reason: string) => void
}

/**
 * Writes customers, accounts, external accounts, cards and the history of an archive as files, which any bank can import: records
 * get new ids and numbers there, and those of the archive are kept as former ones.
 */
export async function writeArchiveAsFiles(
  { args: [file = ''], out, closers }: Pick<OperatorCall, 'args' | 'out' | 'closers'>,
  { to, identities }: { to: string; identities: string[] },
): Promise<void> {
  const lines = linesOf(await readEncrypted(file, identities))
  const folder = openFormerFolder(to)
  closers.add(async () => folder.drop())
  const leftOut = new Map<string, number>()
  try {
    const first = await lines.next()
    if (first.done) throw faultAt(1, 'the archive is empty')
    const manifest = manifestOf(first.value)
    const { balance } = await writeRows(lines, manifest, folder, (reason) =>
      leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1),
    )
    if (balance !== manifest.figures.balance)
      throw new StartupError('the archive is not what its manifest says: balances differ')
    folder.finish()
    for (const [reason, count] of leftOut) out.result({ leftOut: count, reason }, `${count} left out: ${reason}`)
    out.result(
      { folder: folder.path, ...folder.rows, balance },
      `The records of ${manifest.organisation.name} are in ${folder.path}, with ${balance} cents. purser import takes them into any bank.`,
    )
  } finally {
    folder.drop()
    await lines.return(undefined)
  }
}

async function writeRows(
  lines: AsyncIterable<ArchiveLine>,
  { keys }: ArchiveManifest,
  folder: FormerFolder,
  leave: (reason: string) => void,
): Promise<{ balance: number }> {
  const seal = openSeal(Buffer.from(keys.data, 'base64'), { digestKey: Buffer.from(keys.digest, 'base64') })
  const reading: Reading = {
    folder,
    seal,
    customers: new Map(),
    accounts: new Map(),
    payments: new Map(),
    sides: [],
    leave,
  }
  let rows = 0
  let last = 1
  for await (const line of lines) {
    last = line.number
    const value = parsedLine(line)
    if (!isObject(value)) throw faultAt(line.number, 'the line is no row')
    if (value.end !== undefined) {
      if (value.end !== rows) throw faultAt(line.number, `${rows} rows are here, and the archive had ${value.end}`)
      writeHistory(reading)
      return { balance: writeAccounts(reading) }
    }
    if (!isObject(value.row)) throw faultAt(line.number, 'the line has no row')
    rows++
    const { table, row } = value as { table: string; row: Row }
    takers[table]?.(reading, row)
  }
  throw faultAt(last + 1, 'the archive is not whole: its last line is missing')
}

const takers: Record<string, (reading: Reading, row: Row) => void> = {
  customer: ({ folder, customers }, row) => {
    customers.set(row.id, row)
    const { id, name, email, phone, address, created_at } = row
    folder.add('customers', { id: String(id), name, email, phone, ...address, createdAt: created_at })
  },

  account: ({ accounts }, row) => void accounts.set(row.id, row),

  external_account: ({ folder, seal, leave }, row) => {
    if (row.deleted_at !== null) return leave('external accounts that were deleted')
    if (row.review !== null && row.review !== 'Approved')
      return leave('external accounts that no reviewer has approved')
    folder.add('external-accounts', {
      ...{ id: String(row.id), customerId: String(row.customer_id), name: row.name, type: row.type },
      ...{ routingNumber: row.routing_number, accountType: row.account_type },
      accountNumber: clearNumber(seal, row.id, row.account_number),
    })
  },

  card: ({ folder, customers, accounts, leave }, row) => {
    if (!movedCards.includes(row.status)) return leave(`cards that are ${row.status}`)
    if (accounts.get(row.account_id)?.status === 'Closed') return leave('cards of closed accounts')
    const isPhysical = row.type === 'individualDebitCard'
    folder.add('cards', {
      ...{ id: String(row.id), accountId: String(row.account_id), type: row.type, last4Digits: row.last4 },
      ...{ expirationDate: row.expires, status: row.status, createdAt: row.created_at },
      processorReference: row.processor_reference,
      ...(isPhysical && { design: row.design, ...(row.shipping_address ?? customers.get(row.customer_id)?.address) }),
    })
  },

  payment: ({ payments }, row) => {
    const { id, account_id: accountId, counterparty_name: name, description } = row
    payments.set(id, { accountId, name, description })
  },

  transfer: ({ accounts, payments, sides }, row) => {
    const payment = payments.get(row.source_id)
    const add = (own: 'debit' | 'credit', other: 'debit' | 'credit') => {
      const accountId = row[`${own}_account_id`]
      if (accountId < 0) return
      const otherName = row.party ?? accounts.get(row[`${other}_account_id`])?.name
      sides.push({
        ...{ id: own === 'debit' ? row.id : row.id + 1, accountId, seq: row[`${own}_seq`], at: row.created_at },
        amount: own === 'debit' ? -row.amount : row.amount,
        counterparty: payment && payment.accountId === accountId ? payment.name : otherName,
        description: row.description ?? payment?.description ?? '',
      })
    }
    add('debit', 'credit')
    add('credit', 'debit')
  },
}

/** Writes the history in the order of the times, and of each account. */
function writeHistory({ folder, sides }: Reading): void {
  const order = (one: Side, other: Side) =>
    Date.parse(one.at) - Date.parse(other.at) || one.accountId - other.accountId || one.seq - other.seq
  for (const { id, accountId, at, amount, counterparty, description } of sides.sort(order))
    folder.add('history', { id: String(id), accountId: String(accountId), at, amount, counterparty, description })
}

/** Writes the accounts of customers behind their history, which may begin before the record. Returns the cents that they have. */
function writeAccounts({ folder, accounts, sides }: Reading): number {
  const first = new Map<number, string>()
  for (const { accountId, at } of sides) if (!first.has(accountId)) first.set(accountId, at)
  let cents = 0
  for (const { id, customer_id, created_at, balance, status, account_number } of accounts.values()) {
    if (id < 0) continue
    const from = first.get(id) ?? created_at
    cents += balance
    folder.add('accounts', {
      ...{ id: String(id), customerId: String(customer_id), balance, status, accountNumber: account_number },
      openedAt: Date.parse(from) < Date.parse(created_at) ? from : created_at,
    })
  }
  return cents
}
