import { type Scope, scopes } from '../base/operation.ts'
import type { PeopleSettings } from '../people/settings.ts'
import { oneOf } from './kinds.ts'
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
  expected: 'roles with scopes, such as teller=banking:write+events:read,auditor=banking:read',
}

/** The settings of the persons who sign in to the console. */
export function peopleConfig({ read, optional }: Reader, mode: Mode): PeopleSettings {
  return {
    mode,
    origin: optional('PURSER_CONSOLE_ORIGIN', origin),
    keys: read('PURSER_CONSOLE_KEYS', oneOf('on', 'off'), mode === 'live' ? 'off' : 'on') === 'on',
    roles: read('PURSER_ROLES', roles, {}),
  }
}
