import type { Write } from '../base/operation.ts'
import type { EventType } from '../events/event.ts'
import { originOf } from '../events/record.ts'
import { type BooksState, type Command, type Decided, Needs, type Outcome, type Rows, ShortShare } from './books.ts'
import { type OpenBooks, openBooks } from './open-books.ts'
import { openFronts } from './queue/fronts.ts'
import type { InternalKind } from './records.ts'

/**
 * Decides commands in their order; each sees the changes of those before it. `known` has the outcomes of commands that cannot be
 * decided: they are held, or have an answer. Pure: no clock, no database.
 */
export function decideAll(state: BooksState, commands: Command<never>[], known: (Outcome | undefined)[] = []): Decided {
  const open = openBooks(state)
  const order = openOrder()
  const outcomes = commands.map((command, position) => {
    const outcome = order.before(command, known[position]) ?? known[position] ?? decideOne(open, command)
    const shown = 'behind' in outcome && !known[position] ? lookAhead(open, command) : outcome
    order.note(command, shown)
    return shown
  })
  open.rows.accounts.push(...open.changedAccounts())
  return { outcomes, rows: open.rows, records: open.records }
}

interface Order {
  /** The outcome of a command that may not be decided, because one before it on the same accounts was not. */
  before(command: Command<never>, known: Outcome | undefined): Outcome | undefined
  note(command: Command<never>, outcome: Outcome): void
}

/**
 * A command that is short, or whose internal account is full, runs later. Those after it on the same accounts do so too, and do not
 * overtake it. Nor does a command overtake one of its group that lacks something or is held. Several that are held keep their order
 * among the held ones.
 */
function openOrder(): Order {
  const [lacking, held] = [openFronts(), openFronts()]
  const short = new Map<number, Outcome>()
  const full = new Map<number, Outcome>()
  return {
    before(command, known) {
      if (known && !('held' in known)) return undefined
      if (lacking.isBefore(command) || (!known && held.isBefore(command))) return { behind: true }
      // The short ones run after those with a full account.
      return known ? undefined : (firstOf(short, command) ?? firstOf(full, command))
    },
    note(command, outcome) {
      if ('held' in outcome) held.add(command)
      if ('lack' in outcome || 'behind' in outcome) lacking.add(command)
      const again = 'short' in outcome ? short : 'full' in outcome ? full : undefined
      if (again) for (const id of command.accountIds) again.set(id, outcome)
    },
  }
}

function firstOf(outcomes: Map<number, Outcome>, { accountIds }: Command<never>): Outcome | undefined {
  if (outcomes.size === 0) return undefined
  const id = accountIds.find((each) => outcomes.has(each))
  return id === undefined ? undefined : outcomes.get(id)
}

/**
 * Finds out what a command lacks that has to wait for others, as if they did nothing: the screening is asked about all payments of a
 * batch at once. Each question after the other would take up to three seconds.
 */
function lookAhead(open: OpenBooks, { write, decide }: Command<never>): Outcome {
  try {
    open.begin(write.caller.organisationId)
    const data: unknown = decide(open.books)
    return data instanceof Needs ? { lack: data.lack } : { behind: true }
  } catch {
    // It is refused, if at all, when its turn has come.
    return { behind: true }
  } finally {
    open.undo()
  }
}

function decideOne(open: OpenBooks, { write, decide }: Command<never>): Outcome {
  try {
    open.begin(write.caller.organisationId)
    const data = decide(open.books)
    const full = open.fullInternal()
    if (full !== undefined || data instanceof Needs) {
      open.undo()
      return data instanceof Needs ? { lack: data.lack } : { full: full as InternalKind }
    }
    const json = JSON.stringify(data)
    const answer = write.render(data, json)
    open.keep()
    const shown = paymentIn(open, data)
    open.rows.answers.push({ write, answer, ...shown })
    const { alsoKey } = write
    if (alsoKey) open.rows.answers.push({ write: { ...write, key: alsoKey }, answer, ...shown })
    recordEvents(open, write, data, json)
    return { answer }
  } catch (refused) {
    open.undo()
    return refused instanceof ShortShare ? { short: true } : { refused }
  }
}

type ShownPayment = Pick<Rows['answers'][number], 'paymentId' | 'paymentStatus' | 'paymentVersion'>

const noPayment: ShownPayment = { paymentId: null, paymentStatus: null, paymentVersion: null }

/** The status in which a payment is shown by the answer that comes with an event; null for the first one. */
const shownStatuses: Partial<Record<EventType, ShownPayment['paymentStatus']>> = {
  'payment.created': null,
  'payment.pending': 'Pending',
  'payment.pendingReview': 'PendingReview',
  'payment.sent': 'Sent',
  'payment.rejected': 'Rejected',
  'payment.canceled': 'Canceled',
  'payment.returned': 'Returned',
}

/** The payment that a command has created or changed, and answers with. */
function paymentIn({ emitted }: OpenBooks, data: unknown): ShownPayment {
  if (data === undefined) return noPayment
  for (const { type, id, version, fromRow, data: shown } of emitted) {
    const paymentStatus = shownStatuses[type]
    if (!fromRow || shown !== data || paymentStatus === undefined) continue
    const isRepeatable = paymentStatus === 'Pending' || paymentStatus === 'PendingReview'
    return { paymentId: Number(id), paymentStatus, paymentVersion: isRepeatable ? version : null }
  }
  return noPayment
}

/** Most events show the record that the command answers with, so its JSON is used for both. */
function recordEvents({ emitted, rows }: OpenBooks, write: Write<never>, data: unknown, json: string): void {
  if (emitted.length === 0) return
  const origin = originOf(write)
  for (const event of emitted.splice(0)) {
    if (!event.fromRow && event.json === undefined && event.data === data) event.json = json
    rows.events.push({ event, origin })
  }
}
