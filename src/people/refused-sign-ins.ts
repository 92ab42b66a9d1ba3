import { clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { Recent } from '../base/recent.ts'
import type { Database } from '../database/database.ts'
import { insertEntries } from './entries.sql.ts'

/** The refusal of a sign-in that names a person: it leaves an entry, with the cause that nobody else is shown. */
export class RefusedSignIn extends Problem {
  readonly personId: number
  readonly entry: string

  constructor(detail: string, { personId, entry }: { personId: number; entry: string }) {
    super('forbidden', { detail })
    this.personId = personId
    this.entry = entry
  }
}

const WINDOW_MS = 60_000
const MAX_OF_PERSON = 10
/** The most persons that are remembered. Each address has ten failures a minute, too. */
const MAX_REMEMBERED = 10_000

/** Notes refused sign-ins, ten a minute of each person. */
export function openRefusedSignIns(database: Database): (refusal: RefusedSignIn, address: string) => Promise<void> {
  const counts = new Recent<number, { count: number; endsMs: number }>(MAX_REMEMBERED)
  return async ({ personId, entry: cause }, address) => {
    const nowMs = clock.elapsedMs()
    const known = counts.get(personId)
    const recent = known && known.endsMs > nowMs ? known : { count: 0, endsMs: nowMs + WINDOW_MS }
    counts.set(personId, recent)
    if (++recent.count > MAX_OF_PERSON) return
    const by = { personId, sessionId: null, address }
    await insertEntries(database, { type: 'person.signInRefused', personId, by, cause })
  }
}
