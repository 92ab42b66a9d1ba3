import { clock } from '../base/clock.ts'
import type { Database } from '../database/database.ts'
import { insertDenials } from './denials.sql.ts'

/** A request that was not allowed. */
export interface DeniedRequest {
  /** SHA-256 of the key that was sent. */
  keyHash: Buffer
  code: 'unauthorized' | 'forbidden'
  operationId: string
  path: string
  address: string
  requestId: string
}

export interface Denial extends DeniedRequest {
  /** How many more of its key have come since the one before and are only counted. */
  unwritten: number
}

/** Keeps what was denied for the audit log. No request waits for it, and no flood fills the database. */
export interface Denials {
  note(request: DeniedRequest): void
  /** Writes what was noted. */
  save(): Promise<void>
}

const WINDOW_MS = 60_000
const MAX_OF_KEY = 10
const MAX_OF_ADDRESS = 60
const MAX_WAITING = 1_000
const LONGEST_PATH = 500

export function openDenials(database: Database): Denials {
  let waiting: Denial[] = []
  let windowEndsMs = 0
  /** In this window: how many of a key were written down, and how many since then were not. */
  let ofKey = new Map<string, { written: number; unwritten: number }>()
  let ofAddress = new Map<string, number>()

  function turnWindow(): void {
    if (clock.elapsedMs() < windowEndsMs) return
    windowEndsMs = clock.elapsedMs() + WINDOW_MS
    ofAddress = new Map()
    const left = [...ofKey].filter(([, { unwritten }]) => unwritten > 0).slice(0, MAX_WAITING)
    ofKey = new Map(left.map(([key, { unwritten }]) => [key, { written: 0, unwritten }]))
  }

  return {
    note(request) {
      turnWindow()
      const address = ofAddress.get(request.address) ?? 0
      if (address >= MAX_OF_ADDRESS || waiting.length >= MAX_WAITING) return
      const name = request.keyHash.toString('base64')
      const count = ofKey.get(name) ?? { written: 0, unwritten: 0 }
      ofKey.set(name, count)
      if (count.written >= MAX_OF_KEY) {
        count.unwritten++
        return
      }
      ofAddress.set(request.address, address + 1)
      waiting.push({ ...request, path: request.path.slice(0, LONGEST_PATH), unwritten: count.unwritten })
      count.written++
      count.unwritten = 0
    },

    async save() {
      if (waiting.length === 0) return
      const saving = waiting
      waiting = []
      await insertDenials(database, saving).catch((error: unknown) => {
        waiting = [...saving, ...waiting].slice(0, MAX_WAITING)
        throw error
      })
    },
  }
}
