import { randomBytes } from 'node:crypto'
import type { Configuration, IDToken } from 'openid-client'
import { Problem } from '../base/problem.ts'
import { isCleanText } from '../base/text.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { type Actor, insertEntries } from './entries.sql.ts'
import {
  endSessions,
  keepPersonOfProvider,
  lockPersonOfProvider,
  type NewPerson,
  type RolesOfPerson,
} from './people.sql.ts'
import { RefusedSignIn } from './refused-sign-ins.ts'
import type { ProviderSettings } from './settings.ts'
import { insertTicket, takeTicket } from './tickets.sql.ts'

/** A person may take this long at the identity provider. */
export const SIGN_IN_MS = 10 * 60_000
const MAX_NAME = 255
const CALLBACK = '/session/callback'

export interface Provider {
  /** The address at the provider to which the browser goes, and the state that comes back. */
  begin(origin: string): Promise<{ url: string; state: string }>
  /** The person whom the provider names. `state` is that of the browser's own sign-in, at an address. */
  finish(origin: string, search: string, state: string, address: string): Promise<number>
}

/** Signs persons in by OpenID Connect: authorization code with PKCE, state and nonce, each used once. */
export function openProvider(
  { database, ids }: { database: Database; ids: RecordIds },
  settings: ProviderSettings,
): Provider {
  let known: Promise<Configuration> | undefined

  /** Reads the provider's description once; a provider that was away is asked again. */
  function configuration(): Promise<Configuration> {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined
      const detail = 'The identity provider does not answer, or is not the one that is set. Try again later.'
      throw Object.assign(new Problem('unavailable', { detail }), { cause: error })
    })
    return known
  }

  return {
    async begin(origin) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      const [state, nonce, verifier] = [secret(), secret(), secret()]
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: origin + CALLBACK,
        scope: settings.scope,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      const content = { nonce, verifier }
      await insertTicket(database, state, { kind: 'provider', personId: null, content, ms: SIGN_IN_MS })
      return { url: url.href, state }
    },

    async finish(origin, search, state, address) {
      const ticket = await takeTicket(database, state, 'provider')
      if (!ticket) throw refused('The sign-in took too long or was used before. Begin again.')
      const { authorizationCodeGrant } = await import('openid-client')
      const { nonce, verifier } = ticket.content as { nonce: string; verifier: string }
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await authorizationCodeGrant(
        await configuration(),
        new URL(`${origin}${CALLBACK}?${search}`),
        checks,
      ).catch(() => {
        throw refused('The identity provider did not confirm the sign-in. Begin again.')
      })
      const claims = tokens.claims()
      if (!claims || !isCleanText(claims.sub)) throw refused('The identity provider did not say who signed in.')
      const roles = rolesOf(settings, claims[settings.claim])
      const person = { id: await ids.next(), name: nameIn(claims), subject: `${claims.iss} ${claims.sub}`, roles }
      const kept = await database.transaction((transaction) => keepPerson(transaction, person, address))
      if (typeof kept !== 'number') throw kept
      return kept
    },
  }
}

/**
 * Stores the person with their present roles, and notes the roles that are new. Returns the refusal of a person without a role, whose
 * sessions end with the last one, or of one who was removed.
 */
async function keepPerson(
  transaction: Queryable,
  person: NewPerson & { subject: string },
  address: string,
): Promise<number | Problem> {
  const known = await lockPersonOfProvider(transaction, person.subject)
  const hasRole = Object.keys(person.roles).length > 0
  const withoutRole = 'None of your groups at the identity provider has a role here.'
  if (!known && !hasRole) return refused(withoutRole)
  const id = await keepPersonOfProvider(transaction, person)
  if (id === undefined) {
    const detail = 'You were removed. An administrator has to let you in again.'
    return known ? new RefusedSignIn(detail, { personId: known.id, entry: 'The person was removed' }) : refused(detail)
  }
  const by: Actor = { personId: id, sessionId: null, address }
  const former = known?.roles ?? {}
  for (const organisation of new Set([...Object.keys(former), ...Object.keys(person.roles)])) {
    const formerRole = former[organisation] ?? null
    if (formerRole === (person.roles[organisation] ?? null)) continue
    const cause = 'The groups at the identity provider have changed'
    await insertEntries(transaction, { type: 'person.roleChanged', personId: id, by, organisation, formerRole, cause })
  }
  if (hasRole) return id
  await endSessions(transaction, id, null)
  return refused(withoutRole)
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
  // The signature is checked against the keys of the provider, which are read again when they are rotated.
  const execute = [enableNonRepudiationChecks]
  if (issuer.startsWith('http:')) execute.push(allowInsecureRequests)
  return discovery(new URL(issuer), clientId, clientSecret, undefined, { execute })
}

/** The roles that the operator gives to the groups of a claim. Anything else in the claim gives nothing. */
function rolesOf({ roles }: ProviderSettings, claim: unknown): RolesOfPerson {
  const groups = [claim].flat().filter((group) => typeof group === 'string')
  const given = roles.filter(({ group }) => groups.includes(group))
  // The first one that is listed counts, if several groups have roles in one organisation.
  return Object.fromEntries(given.reverse().map(({ organisation, role }) => [organisation, role]))
}

/** The name of a person, which they may choose themselves at the provider: without characters that hide or turn the text around it. */
function nameIn({ name, sub }: IDToken): string {
  const text = typeof name === 'string' ? name.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, ' ').trim() : ''
  return [...(text || sub)].slice(0, MAX_NAME).join('')
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function refused(detail: string): Problem {
  return new Problem('forbidden', { detail })
}
