import { clock } from '../base/clock.ts'
import { type Database, DatabaseUnavailable, OrganisationMoving } from '../database/database.ts'
import { insertDenials } from './denials.sql.ts'

/** A request that was denied: its key does not work, or lacks the scope. */
export interface DeniedRequest {
  /** SHA-256 of the key that was sent. */
  keyHash: Buffer
  code: 'unauthorized' | 'forbidden'
  /** Known for a key that works and lacks the scope. */
  organisationId?: number
  operationId: string
  path: string
  address: string
  requestId: string
}

export interface Denial extends DeniedRequest {
  /** How many more requests of the key were denied since its previous entry, and only counted. */
  unwritten: number
}

/** Collects denied requests for the audit log. No request waits for it, and no flood fills memory or database. */
export interface Denials {
  note(request: DeniedRequest): void
  /** Stores what was noted. */
  save(): Promise<void>
}

const WINDOW_MS = 60_000
const MAX_OF_KEY = 10
/** Of an organisation if the key is known, else of an address: one of them does not use up the places of another. */
const MAX_OF_SOURCE = 60
const MAX_WAITING = 1_000
/** Requests with unknown keys leave half of the places to known ones. */
const MAX_UNKNOWN_WAITING = MAX_WAITING / 2
const MAX_PATH_LENGTH = 500

export function openDenials(database: Database): Denials {
  let waiting: Denial[] = []
  let unknownWaiting = 0
  let windowEndsMs = 0
  /** Of each key in this window: how many entries it has, and how many requests were counted since the last one. */
  let ofKey = new Map<string, { written: number; unwritten: number }>()
  let ofSource = new Map<string, number>()

  function startWindow(): void {
    if (clock.elapsedMs() < windowEndsMs) return
    windowEndsMs = clock.elapsedMs() + WINDOW_MS
    ofSource = new Map()
    const counted = [...ofKey].filter(([, { unwritten }]) => unwritten > 0).slice(0, MAX_WAITING)
    ofKey = new Map(counted.map(([key, { unwritten }]) => [key, { written: 0, unwritten }]))
  }

  function hasRoom({ organisationId }: DeniedRequest): boolean {
    if (waiting.length >= MAX_WAITING) return false
    return organisationId !== undefined || unknownWaiting < MAX_UNKNOWN_WAITING
  }

  return {
    note(request) {
      startWindow()
      const { organisationId, address } = request
      const source = organisationId === undefined ? address : `organisation ${organisationId}`
      const name = request.keyHash.toString('base64')
      const count = ofKey.get(name) ?? { written: 0, unwritten: 0 }
      const ofThisSource = ofSource.get(source) ?? 0
      if (count.written >= MAX_OF_KEY || ofThisSource >= MAX_OF_SOURCE || !hasRoom(request)) {
        count.unwritten++
        return
      }
      ofKey.set(name, count)
      ofSource.set(source, ofThisSource + 1)
      waiting.push({ ...request, path: request.path.slice(0, MAX_PATH_LENGTH), unwritten: count.unwritten })
      if (organisationId === undefined) unknownWaiting++
      count.written++
      count.unwritten = 0
    },

    async save() {
      if (waiting.length === 0) return
      const saving = waiting
      waiting = []
      unknownWaiting = 0
      try {
        await insertDenials(database, saving)
      } catch (error) {
        const isAway = error instanceof DatabaseUnavailable && !(error instanceof OrganisationMoving)
        if (!isAway) return insertApart(database, saving)
        waiting = [...saving, ...waiting].slice(0, MAX_WAITING)
        unknownWaiting = waiting.filter(({ organisationId }) => organisationId === undefined).length
        throw error
      }
    },
  }
}

/** Stores denials one by one, so that one that cannot be stored does not take the others along for ever. */
async function insertApart(database: Database, denials: Denial[]): Promise<void> {
  let failure: unknown
  for (const denial of denials) {
    await insertDenials(database, [denial]).catch((error: unknown) => {
      failure ??= error
    })
  }
  if (failure !== undefined) throw failure
}
