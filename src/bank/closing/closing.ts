import type { KeyObject } from 'node:crypto'
import { decodedBase64 } from '../../base/base64-file.ts'
import { parseInstant } from '../../base/clock.ts'
import { integerIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Page, pageWindow } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Closing, ClosingDayDetails, DayCertificate, ListedPart } from '../../closing/closing.ts'
import type { DecideSettlementItemInput } from '../../closing/decide-settlement-item.ts'
import type { Database } from '../../database/database.ts'
import { within } from '../../database/within.ts'
import type { RunOnce } from '../../idempotency/run-once.ts'
import type { StatementForm } from '../../rails/statements/read-statements.ts'
import { firstOrganisation } from '../ach/incoming/incoming.sql.ts'
import {
  type ClosingBank,
  certificateIn,
  certificatesOf,
  certify,
  listDays,
  noDay,
  readDay,
  reopenDay,
} from './banking-days.ts'
import { latestFiles, listItems } from './lists.ts'
import { reconcile } from './reconcile.ts'
import {
  type Booking,
  bookableAmount,
  directItem,
  endMatchOf,
  matchByHand,
  noteOn,
  splitItem,
  type Transactor,
} from './settle-items.ts'
import { readGiven, takeStatements } from './take-statement.ts'

interface ClosingParts {
  database: Database
  runOnce: RunOnce
  bookItem(id: number, booking: Booking, request: Write<null>): Promise<Answer>
  /** Absent if no settlement account is named. */
  form: (StatementForm & { windowDays: number }) | undefined
  /** The key that signs certificates. */
  key: KeyObject | undefined
  routingNumber: string
  /** The databases of the service. The operations know the ledger of one. */
  databases: number
}

/** The settings, which are there. */
type Desk = ClosingParts & { form: NonNullable<ClosingParts['form']>; bank: ClosingBank }

const MONTH_LENGTH = 'YYYY-MM'.length
const ALL_DAYS = 100_000

/** The closing of days over HTTP. Its work is that of the commands. */
export function closingOf(parts: ClosingParts): Closing {
  return {
    listClosingDays: (caller, month) => listClosingDays(deskOf(parts), caller, month),
    getClosingDay: (caller, day) => getClosingDay(deskOf(parts), caller, day),
    closeDay: (write, day) => closeDay(deskOf(parts), write, day),
    reopenDay: async (write, day, reason) => {
      const { runOnce } = await dayDesk(deskOf(parts), write.caller, day)
      return runOnce.transaction(write, (transaction) => reopenDay(within(transaction), day, reason))
    },
    listSettlementItems: async (caller, { day, ...part }) => {
      const { database, bank } = deskOf(parts)
      if (!(await isOperator(database, caller))) return new Page([], false)
      await reconcile(database, bank.ledgers, bank.windowDays)
      return partOf(await listItems(database, day), part)
    },
    bookableAmount: async (caller, id) => {
      const { database } = await itemDesk(deskOf(parts), caller, integerIdNumber(id))
      return bookableAmount(database, integerIdNumber(id))
    },
    decideSettlementItem: (write, id, input) => decideItem(deskOf(parts), write, integerIdNumber(id), input),
    listBankStatements: async (caller, part) => {
      const { database } = deskOf(parts)
      return partOf((await isOperator(database, caller)) ? await latestFiles(database) : [], part)
    },
    takeBankStatement: async (write, { name, file, replace }) => {
      const { runOnce, database, form, bank } = await operated(deskOf(parts), write.caller, notOperator)
      const read = readGiven(form, { name, bytes: decodedBase64(file), replace })
      const answer = await runOnce.transaction(write, (transaction) => takeStatements(within(transaction), form, read))
      await reconcile(database, bank.ledgers, bank.windowDays)
      return answer
    },
  }
}

function deskOf(parts: ClosingParts): Desk {
  const { database, form, routingNumber } = parts
  if (!form) throw new Problem('closing_unavailable')
  if (parts.databases > 1) {
    const detail = 'The service has several databases: `purser settlement` and `purser day` close the days of all.'
    throw new Problem('closing_unavailable', { detail })
  }
  const { account, windowDays } = form
  const bank: ClosingBank = {
    ...{ database, routingNumber, account, windowDays },
    ledgers: async (read) => [await read(database, [])],
  }
  return { ...parts, form, bank }
}

/** Whether a caller belongs to the first organisation, which is that of the operator. */
async function isOperator(database: Database, { organisationId }: Caller): Promise<boolean> {
  return (await firstOrganisation(database)) === organisationId
}

const notOperator = () =>
  new Problem('forbidden', { detail: 'Only keys of the first organisation take statements of the bank.' })

/** For other organisations there are no statements, items or days. */
async function operated(desk: Desk, caller: Caller, refusal: () => Problem): Promise<Desk> {
  if (!(await isOperator(desk.database, caller))) throw refusal()
  return desk
}

/** The pattern of a day also fits days that no month has. */
async function dayDesk(desk: Desk, caller: Caller, day: string): Promise<Desk> {
  if (parseInstant(day) === undefined) throw noDay()
  return operated(desk, caller, () => noDay())
}

function partOf<Item>(items: Item[], part: ListedPart): Page<Item> {
  const { limit, offset, take } = pageWindow(part)
  const some = items.slice(offset, offset + take)
  return new Page(some.slice(0, limit), some.length > limit)
}

async function listClosingDays({ database, bank }: Desk, caller: Caller, month: string) {
  if (!(await isOperator(database, caller))) return new Page([], false)
  await reconcile(database, bank.ledgers, bank.windowDays)
  const days = (await listDays(database, ALL_DAYS)).filter(({ day }) => day.slice(0, MONTH_LENGTH) === month)
  return new Page(
    days.map(({ sha256: _, ...day }) => day),
    false,
  )
}

async function getClosingDay(desk: Desk, caller: Caller, day: string): Promise<ClosingDayDetails> {
  const { bank, database } = await dayDesk(desk, caller, day)
  const certificates = await certificatesOf(database, day)
  const current = certificates.find(({ reopenedAt }) => reopenedAt === null)
  const { terms, reasons } = current ? { terms: certificateIn(current), reasons: [] } : await readDay(bank, day)
  const { statement, ledger, statementItems, ledgerItems } = terms.settlement
  return {
    ...{ day, state: current ? 'closed' : 'open', reasons, ledger: terms.ledger, certificates },
    settlement: { ...terms.settlement, difference: statement - ledger - statementItems + ledgerItems },
  }
}

async function closeDay(desk: Desk, write: Write<DayCertificate>, day: string): Promise<Answer> {
  const { bank, key, runOnce } = await dayDesk(desk, write.caller, day)
  if (!key) throw new Problem('closing_unavailable', { detail: 'The operator has to set PURSER_CLOSING_KEY.' })
  const prepare = async () => {
    const state = await readDay(bank, day)
    if (state.reasons.length === 0) return state
    throw new Problem('closing_day_open', { detail: `${day} stays open: ${state.reasons.join('; ')}` })
  }
  return runOnce.transactionAfter(write, prepare, (transaction, _, state) => certify(transaction, state, key))
}

async function itemDesk(desk: Desk, caller: Caller, id: number): Promise<Desk> {
  const unknown = () => new Problem('settlement_item_not_found')
  if (id === 0) throw unknown()
  return operated(desk, caller, unknown)
}

async function decideItem(
  desk: Desk,
  write: Write<null>,
  id: number,
  input: DecideSettlementItemInput,
): Promise<Answer> {
  const { database, bank, runOnce, bookItem } = await itemDesk(desk, write.caller, id)
  const person = `key ${write.caller.keyId}`
  const answer =
    input.decision === 'book'
      ? await bookItem(id, { person, reason: input.reason, to: input.to, organisationId: undefined }, write)
      : await runOnce.transaction(write, async (transaction) => {
          await decideIn(within(transaction), { id, person }, input)
          return null
        })
  await reconcile(database, bank.ledgers, bank.windowDays)
  return answer
}

function decideIn(
  database: Transactor,
  { id, person }: { id: number; person: string },
  input: Exclude<DecideSettlementItemInput, { decision: 'book' }>,
): Promise<void> {
  const said = { person, reason: input.reason }
  switch (input.decision) {
    case 'match':
      return matchByHand(database, [id, ...input.with.map(integerIdNumber)], said)
    case 'unmatch':
      return endMatchOf(database, id, said)
    case 'split':
      return splitItem(database, id, input.amounts, said)
    case 'direct':
      return directItem(database, id, input.direction, said)
    case 'note':
      return noteOn(database, id, input.owner, input.reason)
  }
}
