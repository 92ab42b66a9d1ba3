import type { KeyAuthenticator, KeyHolder } from '../access/authenticate-key.ts'
import { clock } from '../base/clock.ts'
import { messageOf } from '../base/message-of.ts'
import { Recent } from '../base/recent.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { isDatabaseError } from '../database/errors.ts'

/** The keys of one cell. */
export interface CellKeys {
  keys: KeyAuthenticator
  /** Whether no key can be looked up there now. */
  isAway(): boolean
}

/** Keys whose cell is remembered. One that is forgotten is asked in all cells again. */
const MAX_SEEN = 50_000
/** Look-ups in all cells at a time. A cell that hangs holds each for seconds, and must not hold an unlimited number. */
const MAX_ASKING = 1_000
/** How long a cell that knows a key waits for the others, one of which may have a newer claim to its organisation. */
const GRACE_MS = 100

interface AskingState {
  cells: readonly (CellKeys | undefined)[]
  /** The place of the cell that knew a key when it was last looked up. */
  seen: Recent<string, number>
  asking: number
}

/**
 * Finds holders of keys in several cells: the cell that knows a key owns its organisation. A key that was seen is asked in its
 * cell alone; any other in all cells at once. While a cell is away, a key that no other cell knows may be one of that cell:
 * it is refused with 503 and not with 401. A place in the list that is empty is a cell that has not joined yet.
 */
export function openCellKeys(
  cells: readonly (CellKeys | undefined)[],
): KeyAuthenticator & { placeOf(key: string): number | undefined } {
  const state: AskingState = { cells, seen: new Recent(MAX_SEEN), asking: 0 }
  return {
    authenticate: (key) => authenticate(state, key),
    recheck: (key, sinceMs) => askAll(state, key, (keys) => keys.recheck(key, sinceMs)),
    /** The place of the cell that alone will be asked for a key; undefined if all are. */
    placeOf: (key) => state.seen.get(key),
    worked: (key) => cells.some((cell) => cell?.keys.worked(key)),
    forget: (keyId) => {
      for (const cell of cells) cell?.keys.forget(keyId)
    },
    forgetOrganisation: (organisationId) => {
      for (const cell of cells) cell?.keys.forgetOrganisation(organisationId)
    },
    saveUses: async () => {
      for (const cell of cells) await cell?.keys.saveUses()
    },
  }
}

type Found = KeyHolder | undefined | Promise<KeyHolder | undefined>

function authenticate(state: AskingState, key: string): Found {
  const cell = state.cells[state.seen.get(key) ?? -1]
  if (!cell) return askAll(state, key, (each) => each.authenticate(key))
  const found = cell.keys.authenticate(key)
  if (!(found instanceof Promise)) return found ?? askAnew(state, key)
  return found.then(
    (holder) => holder ?? askAnew(state, key),
    (error: unknown) => askOthers(state, key, cell, error),
  )
}

/**
 * The cell of a key does not answer: the organisation may have moved to another one since the key was seen. A cell remembers for
 * seconds that it does not know a key, so that requests of a cell that is away cost the others little.
 */
async function askOthers({ cells, seen }: AskingState, key: string, away: CellKeys, error: unknown) {
  if (!cannotSay(error)) throw error
  const others = cells.filter((cell) => cell !== away)
  const { found } = await answersOf(others.map((cell) => answerOf(cell, (keys) => keys.authenticate(key))))
  const owner = ownerAmong(found)
  if (!owner) throw new DatabaseUnavailable(messageOf(error), { cause: error })
  seen.set(key, owner.place)
  return owner
}

/** The cell of a key does not know it any more: it was revoked, or its organisation has moved to another cell. */
function askAnew(state: AskingState, key: string): Promise<KeyHolder | undefined> {
  state.seen.delete(key)
  return askAll(state, key, (keys) => keys.recheck(key))
}

/** Asks all cells at once, in each by `ask`. */
async function askAll(
  state: AskingState,
  key: string,
  ask: (keys: KeyAuthenticator) => Found,
): Promise<KeyHolder | undefined> {
  if (state.asking >= MAX_ASKING) throw new DatabaseUnavailable('too many API keys are being looked up')
  state.asking++
  try {
    // An organisation that moves meanwhile may be in neither cell when each is asked: the new one before it arrives, the former
    // one after it has left. A second look that begins after the first finds it.
    const owner = (await ownerIn(state, ask)) ?? (await askAgain(state, key))
    if (owner) state.seen.set(key, owner.place)
    return owner
  } finally {
    state.asking--
  }
}

function askAgain(state: AskingState, key: string): Promise<KeyHolder | undefined> {
  const sinceMs = clock.elapsedMs()
  return ownerIn(state, (keys) => keys.recheck(key, sinceMs))
}

async function ownerIn({ cells }: AskingState, ask: (keys: KeyAuthenticator) => Found): Promise<KeyHolder | undefined> {
  const { found, isAway } = await answersOf(cells.map((cell) => answerOf(cell, ask)))
  const owner = ownerAmong(found)
  if (!owner && isAway) throw new DatabaseUnavailable('a cell that may know the API key cannot be reached')
  return owner
}

/** Whether a cell failed to say if it knows a key: its database is away, or has no tables because it is being restored. */
function cannotSay(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isDatabaseError(error)
}

/** The answer of a cell; rejects if it is away. */
async function answerOf(cell: CellKeys | undefined, ask: (keys: KeyAuthenticator) => Found) {
  if (!cell || cell.isAway()) throw new DatabaseUnavailable('a cell is away')
  return ask(cell.keys)
}

/** Collects answers until all are there, or until a key was found and the others had a moment to answer, too. */
async function answersOf(answers: Promise<KeyHolder | undefined>[]): Promise<{ found: KeyHolder[]; isAway: boolean }> {
  const found: KeyHolder[] = []
  let isAway = false
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve, reject) => {
    const noted = answers.map((answer) =>
      answer.then(
        (holder) => {
          if (!holder) return
          found.push(holder)
          timer ??= setTimeout(resolve, GRACE_MS)
        },
        (error: unknown) => {
          if (!cannotSay(error)) throw error
          isAway = true
        },
      ),
    )
    Promise.all(noted).then(() => resolve(), reject)
  }).finally(() => clearTimeout(timer))
  return { found, isAway }
}

/** The one place that decides which cell owns an organisation that several cells know, as they do while it is moved. */
function ownerAmong(found: KeyHolder[]): KeyHolder | undefined {
  return found.sort((one, other) => other.epoch - one.epoch)[0]
}
