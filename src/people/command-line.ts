import { createHash, randomBytes } from 'node:crypto'
import { Problem } from '../base/problem.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { holdSession, type UsableSession } from './people.sql.ts'
import { beginSession } from './sessions.ts'
import { insertTicket, takeTicket } from './tickets.sql.ts'

/** The browser hands a code over at once. */
const CODE_MS = 60_000

/**
 * A code with which the command line begins a session of a person. It works once, and only with the verifier of `challenge`, which
 * never leaves the command line before.
 */
export async function allowCommandLine(
  database: Database,
  { id: sessionId, personId }: Pick<UsableSession, 'id' | 'personId'>,
  challenge: unknown,
): Promise<string> {
  if (typeof challenge !== 'string' || !/^[0-9a-f]{64}$/.test(challenge)) {
    throw new Problem('invalid_request', { detail: 'This is no sign-in of the command line. Run purser login again.' })
  }
  const code = randomBytes(32).toString('base64url')
  await insertTicket(database, code, { kind: 'command', personId, content: { challenge, sessionId }, ms: CODE_MS })
  return code
}

interface Exchange {
  code: unknown
  verifier: unknown
  address: string
  agent: string | undefined
}

/** Begins the session of a code, and returns its secret. A code is used up by the attempt. */
export async function exchangeCode(
  { database, ids }: { database: Database; ids: RecordIds },
  { code, verifier, address, agent }: Exchange,
): Promise<string> {
  const found = typeof code === 'string' ? await takeTicket(database, code, 'command') : undefined
  const { challenge, sessionId = 0 } = (found?.content ?? {}) as { challenge?: string; sessionId?: number }
  const isOwn = typeof verifier === 'string' && createHash('sha256').update(verifier).digest('hex') === challenge
  if (!found?.personId || !isOwn) {
    throw new Problem('forbidden', { detail: 'The code has run out or was used before. Run purser login again.' })
  }
  const holdBasis = (transaction: Queryable) => holdSession(transaction, sessionId)
  return beginSession({ database, ids }, { personId: found.personId, kind: 'command', address, agent, holdBasis })
}
