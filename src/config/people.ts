import { type Scope, scopes } from '../base/operation.ts'
import type { PeopleSettings, ProviderSettings } from '../people/settings.ts'
import { oneOf, secret, text } from './kinds.ts'
import type { Kind, Mode, Reader } from './reader.ts'

/** An origin of a browser: with TLS, or on this machine. */
const origin: Kind<string> = {
  parse: (given) => (URL.canParse(given) && isOrigin(new URL(given)) ? new URL(given).origin : undefined),
  expected: 'an origin such as https://bank.example.com, with https unless it is localhost',
}

function isOrigin({ protocol, hostname, pathname, search, hash, username }: URL): boolean {
  const isName = /^[a-z]/i.test(hostname.split('.').at(-1) ?? '')
  const isSafe = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost')
  return isName && isSafe && pathname === '/' && search === '' && hash === '' && username === ''
}

const roles: Kind<Record<string, Scope[]>> = {
  parse(given) {
    const parsed = given.split(',').map((part) => /^\s*([a-z][a-z0-9-]{0,31})\s*=\s*([a-z:+]+)\s*$/.exec(part))
    const named = parsed.map((found) => [found?.[1] ?? '', found?.[2]?.split('+') ?? []] as const)
    const known = named.every(
      ([name, list]) => name !== '' && list.every((one) => scopes.some((scope) => scope === one)),
    )
    return known ? (Object.fromEntries(named) as Record<string, Scope[]>) : undefined
  },
  expected: 'roles with scopes, such as teller=banking:write+events:read,auditor=banking:read+audit:read',
}

const groups: Kind<ProviderSettings['roles']> = {
  parse(given) {
    const found = given.split(',').map((part) => /^\s*([^=]+?)\s*=\s*([a-z][a-z0-9-]*)@(.+?)\s*$/.exec(part))
    if (found.some((one) => one === null)) return undefined
    return found.map((one) => ({ group: one?.[1] ?? '', role: one?.[2] ?? '', organisation: one?.[3] ?? '' }))
  },
  expected: 'groups with roles in organisations, such as bank-admins=administrator@default,bank-risk=risk@default',
}

const issuerUrl: Kind<string> = {
  parse: (given) =>
    URL.canParse(given) && (/^https:/.test(given) || /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(given))
      ? given
      : undefined,
  expected: 'the URL of an issuer with https, or http on this machine',
}

/** The identity provider, if one is set. */
function providerConfig({ read, optional, fault }: Reader): ProviderSettings | undefined {
  const issuer = optional('PURSER_OIDC_ISSUER', issuerUrl)
  const clientId = optional('PURSER_OIDC_CLIENT_ID', text('the id of a client'))
  const clientSecret = optional('PURSER_OIDC_CLIENT_SECRET', secret)
  const claim = read('PURSER_OIDC_CLAIM', text('the name of a claim'), 'groups')
  const scope = read('PURSER_OIDC_SCOPE', text('scopes, openid among them'), 'openid profile')
  const roles = optional('PURSER_OIDC_ROLES', groups)
  if (issuer === undefined) return undefined
  if (clientId && clientSecret && roles) return { issuer, clientId, clientSecret, claim, scope, roles }
  fault('PURSER_OIDC_ISSUER needs PURSER_OIDC_CLIENT_ID, PURSER_OIDC_CLIENT_SECRET and PURSER_OIDC_ROLES')
  return undefined
}

/** The settings of the persons who sign in to the console. */
export function peopleConfig(reader: Reader, mode: Mode): PeopleSettings {
  const { read, optional } = reader
  return {
    mode,
    origin: optional('PURSER_CONSOLE_ORIGIN', origin),
    keys: read('PURSER_CONSOLE_KEYS', oneOf('on', 'off'), mode === 'live' ? 'off' : 'on') === 'on',
    provider: providerConfig(reader),
    roles: read('PURSER_ROLES', roles, {}),
  }
}
