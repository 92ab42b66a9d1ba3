import { inTurns } from '../../../../base/in-turns.ts'
import type { Seal } from '../../../../secrets/seal.ts'
import { type CustomerSeals, customerSeals } from '../../customer-seals.ts'
import { applyChange } from './changes.ts'
import type { IncomingEntry } from './entries.ts'
import { applyException } from './exceptions.ts'
import { countExceptions, type EntryName, findRepeated, insertEntries, type NamedAccount } from './incoming.sql.ts'
import { entryRow, entryWrite, type IntakeBank } from './intake.ts'
import { answeredBy, isOwn, type Matches, matchesOf, receiverOf } from './matching.ts'
import { applyReceived } from './received.ts'
import { applyReturn } from './returns.ts'

/** Entries whose records are read together, and whose commands are in the lane at the same time. */
const AT_A_TIME = 50

/**
 * Applies the entries of a file. Each is a change of its own. Those of one account are applied in the order of the file,
 * so that the same file has the same outcome each time. An error leaves the entries behind it for the next try. With a share,
 * entries that are not of this cell are left out.
 */
export async function applyEntries(intake: IntakeBank, entries: IncomingEntry[]): Promise<{ exceptions: number }> {
  for (let from = 0; from < entries.length; from += AT_A_TIME) {
    const portion = entries.slice(from, from + AT_A_TIME)
    const known = await recordsOf(intake, portion)
    const { share } = intake
    await inTurns(
      share ? portion.filter((entry) => isOwn(intake, share, known, entry)) : portion,
      (entry) => accountIn(intake, known, entry) ?? entry,
      (entry) => applyEntry(intake, known, entry),
    )
  }
  return { exceptions: await countExceptions(intake.database, intake.fileId) }
}

/** The id of the account that an entry moves money of; undefined where there is none. */
function accountIn(intake: IntakeBank, known: Known, entry: IncomingEntry): number | undefined {
  const { addenda } = entry
  if (addenda && 'originalTrace' in addenda) return answeredBy(known, addenda).at(-1)?.accountId
  return receiverOf(intake, known, entry)?.id
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

async function applyEntry(intake: IntakeBank, known: Known, entry: IncomingEntry): Promise<void> {
  const { addenda, refused } = entry
  if (known.repeated.has(nameOf(entry))) return noteEntry(intake, entry, 'repeated')
  if (refused) {
    // The organisation of the account, so that the operator can give it the money.
    const organisationId = receiverOf(intake, known, entry)?.organisationId ?? intake.organisationId
    return applyException({ ...intake, organisationId }, entry, `entry_${refused.kind}`, refused.reason)
  }
  switch (addenda?.type) {
    case 'return':
      return applyReturn(intake, entry, addenda, answeredBy(known, addenda))
    case 'change':
      return applyChange(intake, entry, addenda, answeredBy(known, addenda))
    case 'refusedChange':
      return applyException(intake, entry, 'change_refused', `${addenda.code} refuses ${addenda.refusedCode}`)
    case 'dishonour':
      return applyException(intake, entry, 'return_dishonored', `${addenda.code} of return ${addenda.returnTrace}`)
    case 'contest':
      return applyException(intake, entry, 'dishonor_contested', `${addenda.code} of ${addenda.dishonourTrace}`)
  }
  if (entry.kind === 'prenote') return noteEntry(intake, entry, 'applied')
  return applyReceived(intake, entry, receiverOf(intake, known, entry), known.seals)
}

/** Stores an entry that has no further effect. */
async function noteEntry(intake: IntakeBank, entry: IncomingEntry, outcome: 'applied' | 'repeated'): Promise<void> {
  const { organisationId, runOnce } = intake
  await runOnce.transaction(entryWrite(intake, organisationId, entry), async (transaction) => {
    await insertEntries(transaction, [entryRow(intake, entry, { organisationId, outcome })])
    return null
  })
}
