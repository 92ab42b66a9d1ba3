import type { ApiKeys, KeyHolder } from '../access/api-keys.ts'
import type { Scope } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'

/** The holder of the request's key; 401 where there is none, 403 where the key lacks the scope. */
export async function authenticate(
  keys: ApiKeys,
  header: string | string[] | undefined,
  scope: Scope,
): Promise<KeyHolder> {
  const wellFormed = typeof header === 'string' && /^[\x21-\x7e]{8,512}$/.test(header)
  const holder = wellFormed ? await keys.holderOf(header) : undefined
  if (!holder) throw new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'ApiKey realm="purser"' } })
  if (!allows(holder.scopes, scope)) {
    throw new Problem('forbidden', { detail: `The API key lacks the scope ${scope}.` })
  }
  return holder
}

/** A write scope includes reading. */
function allows(scopes: Scope[] | null, needed: Scope): boolean {
  if (scopes === null) return true
  return scopes.includes(needed) || scopes.includes(needed.replace(':read', ':write') as Scope)
}
