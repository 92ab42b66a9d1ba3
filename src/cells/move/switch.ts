import { StartupError } from '../../base/startup-error.ts'
import { CommitLost, type Queryable } from '../../database/database.ts'
import { findBreachesIn } from '../../ledger/verify.ts'
import { addShares, readShares, removeShares } from './files.sql.ts'
import { lowerFence, persistFence } from './locks.sql.ts'
import { type Fingerprint, fingerprintOf, markArrived, readSwitched, writeSwitched } from './rows.sql.ts'
import { advance, type Move } from './run.ts'
import { actAsMover, announceArrival, endMoved, findEnded, fixSnapshot, forgetMove, setState } from './state.sql.ts'

/** Ends the trial. */
class Trial extends Error {}

/** Completes the organisation in the target and checks the laws there, in a transaction that is rolled back. */
export async function tryArrival(move: Move): Promise<void> {
  const trial = move.target.held.transaction(async (transaction) => {
    await fixSnapshot(transaction)
    await arrive(move, transaction)
    await requireLaws(move, transaction)
    throw new Trial()
  })
  await trial.catch((error: unknown) => {
    if (!(error instanceof Trial)) throw error
  })
}

/**
 * Makes the target the owner, in one transaction there that commits after the fence at the source was made to stay. A command
 * that is killed in between leaves an organisation whose writes are refused, and the next one goes on.
 */
export async function switchOver(move: Move, { laws }: { laws: boolean }): Promise<void> {
  const { id, run, source, target, reached } = move
  const arrived = target.held.transaction(async (transaction) => {
    const [here] = await Promise.all([fingerprintOf(source.work, id), arrive(move, transaction, source.held)])
    requireSame(move, here, await fingerprintOf(transaction, id))
    if (laws) await requireLaws(move, transaction)
    await reached('compared')
    if (!(await persistFence(source.held, id, run))) throw new StartupError('the pause of writes was interrupted')
    await reached('fenced')
  })
  await arrived.catch(async (error: unknown) => {
    // The outcome of a COMMIT that was lost is in the database.
    const isOwner = error instanceof CommitLost && (await findEnded(target.work, id))?.ended === false
    if (isOwner) return
    await setState(source.held, { id, run, from: ['switching'], to: 'copying' })
    throw error
  })
}

/** Ends the organisation at the source, where its rows are deleted in the background later. */
export async function endAtSource(move: Move): Promise<void> {
  const { id, source, reached } = move
  await source.held.transaction(async (transaction) => {
    await advance(move, ['switching'], 'switched', transaction)
    await actAsMover(transaction)
    await removeShares(transaction, id)
    await endMoved(transaction, id)
  })
  await lowerFence(source.held)
  await reached('ended')
}

/** Copies the last rows, and ends the state of arriving. */
async function arrive(
  { id, name, epoch, source }: Move,
  transaction: Queryable,
  from: Queryable = source.work,
): Promise<void> {
  const rows = await readSwitched(from, id)
  if (!rows) throw new StartupError(`${name} has ended`)
  const shares = await readShares(from, id)
  await actAsMover(transaction)
  await writeSwitched(transaction, { id, epoch }, rows)
  await addShares(transaction, id, shares)
  await markArrived(transaction, id)
  await forgetMove(transaction, id)
  await announceArrival(transaction, id)
}

async function requireLaws({ id, name, target }: Move, transaction: Queryable): Promise<void> {
  const broken = await findBreachesIn(transaction, id)
  if (broken.length === 0) return
  throw new StartupError(`laws of the ledger do not hold for ${name} in the cell ${target.name}: ${broken.join('; ')}`)
}

function requireSame({ name, source, target }: Move, here: Fingerprint, there: Fingerprint): void {
  const differences = Object.entries(here.counts)
    .filter(([table, count]) => there.counts[table] !== count)
    .map(
      ([table, count]) => `${table} has ${count} rows in ${source.name} and ${there.counts[table]} in ${target.name}`,
    )
  if (here.accounts !== there.accounts) differences.push('balances differ')
  if (here.events !== there.events) differences.push('the latest events differ')
  if (differences.length === 0) return
  throw new StartupError(`the copy of ${name} is not the same: ${differences.join('; ')}`)
}
