import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Problem } from '../base/problem.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../database/database.ts'
import { findPasskey, holdPasskey, insertPasskey, notePasskeyUse } from './passkeys.sql.ts'
import { findPerson } from './people.sql.ts'
import { RefusedSignIn } from './refused-sign-ins.ts'
import { findTicket, insertTicket, takeTicket } from './tickets.sql.ts'

/** A ceremony in a browser may take this long. */
const CEREMONY_MS = 5 * 60_000

/** The form of a passkey's id: up to 1,023 bytes. */
const PASSKEY_ID = /^[\w-]{1,1364}$/

/** A person, and the passkey with which they sign in. */
interface SignedBy {
  personId: number
  holdBasis(transaction: Queryable): Promise<boolean>
}

const signedBy = (personId: number, passkey: string): SignedBy => ({
  personId,
  holdBasis: (transaction) => holdPasskey(transaction, passkey),
})

/** Loaded when the first person uses it: with its formats of certificates it is a megabyte. */
const library = () => import('@simplewebauthn/server')

/** The options with which a browser makes a passkey for the person of an invitation. The invitation still works afterwards. */
export async function registrationOptions(database: Database, origin: string, invitation: string) {
  const { personId } = (await findTicket(database, invitation, 'invitation')) ?? {}
  const person = personId ? await findPerson(database, personId) : undefined
  if (!person) throw refused('The invitation does not work any more. Ask for a new one.')
  const { generateRegistrationOptions } = await library()
  const challenge = randomBytes(32)
  const content = { invitation }
  await insertTicket(database, challenge.toString('base64url'), {
    kind: 'registration',
    personId: person.id,
    content,
    ms: CEREMONY_MS,
  })
  return generateRegistrationOptions({
    rpName: 'Purser',
    rpID: new URL(origin).hostname,
    userName: person.name,
    userID: Buffer.from(String(person.id)),
    challenge,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Stores the passkey that a browser has made, uses the invitation up, and returns the person. */
export async function register(
  database: Database,
  origin: string,
  response: RegistrationResponseJSON,
): Promise<SignedBy> {
  const { verifyRegistrationResponse } = await library()
  let ticket: Awaited<ReturnType<typeof takeTicket>>
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: async (challenge) => {
      ticket = await takeTicket(database, challenge, 'registration')
      return ticket !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  }).catch(unverifiedAs(refused(NOT_VERIFIED)))
  const { registrationInfo } = verified
  if (!verified.verified || !registrationInfo || !ticket?.personId) throw refused(NOT_VERIFIED)
  const { personId } = ticket
  const { invitation } = ticket.content as { invitation: string }
  const { credential } = registrationInfo
  return database.transaction(async (transaction) => {
    const used = await takeTicket(transaction, invitation, 'invitation')
    if (used?.personId !== personId) throw refused('The invitation does not work any more. Ask for a new one.')
    const { id, publicKey, counter } = credential
    if (!(await insertPasskey(transaction, { id, personId, publicKey: Buffer.from(publicKey), counter }))) {
      throw refused('This passkey is used already. Register another one.')
    }
    return signedBy(personId, id)
  })
}

/** The options with which a browser signs in with any passkey that it has for this service. */
export async function signInOptions(database: Database, origin: string) {
  const { generateAuthenticationOptions } = await library()
  const challenge = randomBytes(32)
  const ticket = { kind: 'passkey', personId: null, content: null, ms: CEREMONY_MS } as const
  await insertTicket(database, challenge.toString('base64url'), ticket)
  return generateAuthenticationOptions({ rpID: new URL(origin).hostname, challenge, userVerification: 'required' })
}

/** The person whose passkey has signed the challenge. */
export async function personOfPasskey(
  database: Database,
  origin: string,
  response: AuthenticationResponseJSON,
): Promise<SignedBy> {
  const { verifyAuthenticationResponse } = await library()
  const isId = typeof response.id === 'string' && PASSKEY_ID.test(response.id)
  const passkey = isId ? await findPasskey(database, response.id) : undefined
  if (!passkey) throw refused('This passkey is not known here. Ask for a new invitation.')
  const { id, personId, publicKey, counter } = passkey
  // No transaction is open meanwhile: it would keep a connection while the challenge waits for another one.
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    // A challenge is used up even if the signature is wrong.
    expectedChallenge: async (challenge) => (await takeTicket(database, challenge, 'passkey')) !== undefined,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(unverifiedAs(wrongSignature(personId)))
  if (!verified || !(await notePasskeyUse(database, id, authenticationInfo.newCounter))) throw wrongSignature(personId)
  return signedBy(personId, id)
}

/** Throws the refusal of a passkey in place of what the library threw. A database that is away is no fault of the passkey. */
function unverifiedAs(refusal: Problem): (error: unknown) => never {
  return (error) => {
    throw error instanceof DatabaseUnavailable ? error : refusal
  }
}

const NOT_VERIFIED = 'The passkey could not be verified. Try again.'

function wrongSignature(personId: number): RefusedSignIn {
  return new RefusedSignIn(NOT_VERIFIED, { personId, entry: 'A passkey could not be verified' })
}

function refused(detail: string): Problem {
  return new Problem('forbidden', { detail })
}
