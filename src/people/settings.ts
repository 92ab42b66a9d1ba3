import type { Scope } from '../base/operation.ts'

/** The identity provider of the bank. */
export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  scope: string
  /** The claim with the groups of a person. */
  claim: string
  /** The roles that the operator gives to groups. */
  roles: { group: string; role: string; organisation: string }[]
}

/** The settings of persons. */
export interface PeopleSettings {
  mode: 'sandbox' | 'live'
  /** The origin at which browsers open the console. */
  origin: string | undefined
  /** Whether the console takes an API key. */
  keys: boolean
  /** Absent if persons sign in with passkeys alone. */
  provider?: ProviderSettings | undefined
  /** Roles of the operator, each with its scopes. */
  roles: Record<string, Scope[]>
}

/** The origin of the console for a request; undefined if there is none for which passkeys can be made. */
export function originOf({ origin, mode }: Pick<PeopleSettings, 'origin' | 'mode'>, host: string | undefined) {
  if (origin !== undefined || mode === 'live') return origin
  return /^localhost(:\d+)?$/.test(host ?? '') ? `http://${host}` : undefined
}

/** The origin at which a browser opens the console of a service that is called at `host`. A number has no passkeys. */
export function consoleOf(settings: Pick<PeopleSettings, 'origin' | 'mode'>, host: string | undefined) {
  return originOf(settings, host?.replace(/^(127(\.\d{1,3}){3}|\[::1\])(?=:|$)/, 'localhost'))
}
