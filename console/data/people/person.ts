/** Stands in place of a key for the session of a person, whose secret is in a cookie that no script can read. */
export const PERSON = 'person'
const ORGANISATION = 'purser.organisation'
/** Keeps the sign-in of a command line in this tab while the person signs in. */
export const COMMAND = 'purser.command'

/** How one signs in here. */
export interface Ways {
  passkeys: boolean
  /** Whether there is an identity provider. */
  provider: boolean
  /** Whether an API key can be pasted. */
  keys: boolean
  /** Whether this browser has a session already. */
  signedIn: boolean
}

/** Asks the service about the session of this browser. */
export async function ask<Data>(what: string, body: unknown = {}): Promise<Data> {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(...asPerson(`/session/${what}`, request))
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.detail ?? response.statusText), { code: answer.code })
  return answer.data
}

/** Whether a rule of the operator asks another person for what was refused. */
export function needsSecondPerson(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'second_person_required'
}

/** The secret of an invitation in the address, which is removed from the address at once. */
export function takeInvitation(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('invitation')
  if (given !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return given ?? undefined
}

/** Whether this tab was opened by `purser login`. */
export function isCommandSignIn(): boolean {
  return location.hash.startsWith('#command=') || sessionStorage.getItem(COMMAND) !== null
}

/** Makes a passkey on this device for the person of an invitation, and signs them in. */
export async function register(invitation: string): Promise<void> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>('invitation', { invitation })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  await ask('registration', { response: made.toJSON() })
}

export async function signInByPasskey(): Promise<void> {
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>('challenge')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const used = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  await ask('passkey', { response: used.toJSON() })
}

/** A request as a person sends it: by the cookie, in the organisation that this tab has chosen. */
export function asPerson(input: RequestInfo | URL, init: RequestInit = {}): [RequestInfo | URL, RequestInit] {
  const headers = new Headers(init.headers)
  headers.delete('x-service-api-key')
  const organisation = sessionStorage.getItem(ORGANISATION)
  if (organisation !== null) headers.set('x-purser-organisation', encodeURIComponent(organisation))
  return [input, { ...init, headers }]
}

/** Opens the console in another organisation of the person. */
export function enterOrganisation(name: string): void {
  sessionStorage.setItem(ORGANISATION, name)
  location.assign('/console')
}

export function forgetOrganisation(): void {
  sessionStorage.removeItem(ORGANISATION)
}
