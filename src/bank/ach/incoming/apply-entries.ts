import { type Command, needs } from '../../../ledger/books.ts'
import type { Addenda } from '../../../rails/ach/file.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { type CustomerSeals, customerSeals } from '../../parts/customer-seals.ts'
import { payments } from '../../records/payments.ts'
import { receivedPayments } from '../../records/received.ts'
import { changePortions, type Portion } from '../portions.ts'
import { verificationReturn } from '../verifying/returned-verification.ts'
import { applyChange } from './changes.ts'
import type { IncomingEntry } from './entries.ts'
import { exceptionOrder } from './exceptions.ts'
import { countExceptions, type EntryName, findRepeated, type NamedAccount } from './incoming.sql.ts'
import { type EntryOrder, entryRow, type IntakeBank } from './intake.ts'
import { answeredBy, isOwn, type Matches, matchesOf, receiverOf, sentBackBy, verificationBy } from './matching.ts'
import { receivedOrder } from './received.ts'
import { returnOrder } from './returns.ts'
import { allOf, applyTogether, groupsBy } from './together.ts'

/** Entries whose records are read together, and that one command of an organisation applies. It locks their accounts. */
const PORTION = 250

/**
 * Applies the entries of a file. Those of an organisation are decided in the order of the file, so that the same file has the
 * same outcome each time. An error leaves the entries after it for the next try: an entry that has an outcome is not applied
 * again, and the database refuses a second one of the same line. With a share, entries that are not of this database are left out.
 */
export async function applyEntries(intake: IntakeBank, entries: IncomingEntry[]): Promise<{ exceptions: number }> {
  await changePortions(portionsOf(intake, entries))
  return { exceptions: await countExceptions(intake.database, intake.fileId) }
}

async function* portionsOf(intake: IntakeBank, entries: IncomingEntry[]): AsyncGenerator<Portion> {
  const { share, organisationId, turn = (_, work) => work() } = intake
  for (let from = 0; from < entries.length; from += PORTION) {
    const portion = entries.slice(from, from + PORTION)
    const known = await recordsOf(intake, portion)
    const own = share ? portion.filter((entry) => isOwn(intake, share, known, entry)) : portion
    if (own.length === 0) continue
    yield {
      payments: own.flatMap((entry) => accountsIn(intake, known, entry)),
      change: () => turn(organisationId, () => applyPortion(intake, known, own)),
    }
  }
}

/** The accounts whose money an entry may move. */
function accountsIn(intake: IntakeBank, known: Known, entry: IncomingEntry): { accountId: number }[] {
  const { addenda } = entry
  if (addenda && 'originalTrace' in addenda) return answeredBy(known, addenda)
  const account = receiverOf(intake, known, entry)
  return account ? [{ accountId: account.id }] : []
}

/** The records that entries name. */
interface Known extends Matches {
  repeated: Set<string>
  seals: CustomerSeals
}

async function recordsOf(intake: IntakeBank, entries: IncomingEntry[]): Promise<Known> {
  const { database, organisationId, fileId, mode } = intake
  // In live mode one file holds entries of all organisations; a sandbox has files of its own for each.
  const scope = mode === 'live' ? null : organisationId
  const [repeated, matches] = await Promise.all([
    findRepeated(
      database,
      { organisationId: scope, fileId },
      entries.filter(({ traceNumber }) => traceNumber !== ''),
    ),
    matchesOf(database, scope, entries),
  ])
  const seals = await sealsOf(intake, [...matches.accounts.values()])
  return { ...matches, seals, repeated: new Set(repeated.map(nameOf)) }
}

/** The seals of the customers of accounts, which may be of several organisations. */
async function sealsOf(intake: IntakeBank, accounts: NamedAccount[]): Promise<CustomerSeals> {
  const seals = new Map<number, Seal>()
  for (const organisationId of new Set(accounts.map((account) => account.organisationId))) {
    const own = accounts.filter((account) => account.organisationId === organisationId)
    const found = await customerSeals(
      intake,
      organisationId,
      own.map(({ customerId }) => customerId),
    )
    for (const [id, seal] of found) seals.set(id, seal)
  }
  return seals
}

function nameOf({ traceNumber, settlesOn, amount, code }: EntryName): string {
  return [traceNumber, settlesOn, amount, code].join(' ')
}

/** Applies a portion: one command for each organisation. */
async function applyPortion(intake: IntakeBank, known: Known, entries: IncomingEntry[]): Promise<void> {
  const orders: EntryOrder[] = []
  const work: Promise<void>[] = []
  for (const entry of entries) {
    const { addenda } = entry
    if (addenda?.type === 'change' && !known.repeated.has(nameOf(entry))) {
      const payment = answeredBy(known, addenda).at(-1)
      const about = payment ? { ...payment, paymentId: payment.id } : verificationBy(known, addenda)
      work.push(applyChange(intake, entry, addenda, about))
    } else orders.push(await orderOf(intake, known, entry))
  }
  for (const own of groupsBy(orders, ({ organisationId }) => organisationId)) {
    work.push(
      applyTogether(
        own,
        ({ accountIds }) => accountIds[0],
        (some) => applyOrders(intake, some),
      ),
    )
  }
  await allOf(work)
}

/** Applies orders of one organisation. */
async function applyOrders({ runOnce, lane }: IntakeBank, orders: EntryOrder[]): Promise<void> {
  const write = bankWrite(orders[0]?.organisationId ?? 0)
  const command: Command<void, 'again'> = {
    write,
    accountIds: [...new Set(orders.flatMap(({ accountIds }) => accountIds))],
    internal: [...new Set(orders.flatMap(({ internal }) => internal))],
    reads: [
      payments.ids([...new Set(orders.flatMap(({ paymentIds = [] }) => paymentIds))]),
      ...orders.flatMap(({ reads = [] }) => reads),
    ],
    decide: (books) => {
      if (orders.some(({ decide }) => decide(books) === 'again')) return needs('again')
      return undefined
    },
    supply: async () => command,
  }
  await runOnce.attempt(write, () => lane.run(command))
}

/** The order of an entry that is no notification of change. */
function orderOf(intake: IntakeBank, known: Known, entry: IncomingEntry): EntryOrder | Promise<EntryOrder> {
  const { addenda, refused, kind } = entry
  if (known.repeated.has(nameOf(entry))) return noteOrder(intake, entry, 'repeated')
  if (refused) {
    // The organisation of the account, so that the operator can give it the money.
    const organisationId = receiverOf(intake, known, entry)?.organisationId ?? intake.organisationId
    return exceptionOrder({ ...intake, organisationId }, entry, `entry_${refused.kind}`, refused.reason)
  }
  switch (addenda?.type) {
    case 'return': {
      const answered = answeredBy(known, addenda)
      const verification = answered.length === 0 ? verificationBy(known, addenda) : undefined
      if (verification?.amount === entry.amount) return verificationReturn(intake, entry, addenda.code, verification)
      return returnOrder(intake, entry, addenda, answered)
    }
    case 'refusedChange':
      return exceptionOrder(intake, entry, 'change_refused', `${addenda.code} refuses ${addenda.refusedCode}`)
    case 'dishonour':
    case 'contest':
      return refusedOrder(intake, known, entry, addenda)
  }
  if (kind === 'prenote') return noteOrder(intake, entry, 'applied')
  return receivedOrder(intake, entry, receiverOf(intake, known, entry), known.seals)
}

/** Leaves a dishonor of our return, or a contest of our dishonor, to the operator: of the organisation whose entry we sent back. */
function refusedOrder(
  intake: IntakeBank,
  known: Known,
  entry: IncomingEntry,
  addenda: Extract<Addenda, { type: 'dishonour' | 'contest' }>,
): Promise<EntryOrder> {
  const own = sentBackBy(known, entry)
  const about = { ...intake, organisationId: own?.organisationId ?? intake.organisationId }
  if (addenda.type === 'contest') {
    const payment = answeredBy(known, addenda).findLast(({ organisationId }) => organisationId === about.organisationId)
    const detail = `${addenda.code} of dishonor ${addenda.dishonourTrace}`
    return exceptionOrder(about, entry, 'dishonor_contested', detail, payment?.id ?? null)
  }
  const received = own?.accountId ? `, received payment ${own.id} of account ${own.accountId}` : ''
  return exceptionOrder(
    about,
    entry,
    'return_dishonored',
    `${addenda.code} of return ${addenda.returnTrace}${received}`,
  )
}

/** Stores an entry that has no further effect. */
function noteOrder(intake: IntakeBank, entry: IncomingEntry, outcome: 'applied' | 'repeated'): EntryOrder {
  const { organisationId } = intake
  const decide: EntryOrder['decide'] = (books) => {
    books.of(receivedPayments).insertEntry(entryRow(intake, entry, { organisationId, outcome }))
  }
  return { organisationId, accountIds: [], internal: [], decide }
}
