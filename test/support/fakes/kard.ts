import { createHmac } from 'node:crypto'
import { answerOfCurrent, refusalOf } from './kard-current.ts'
import { answerOfLegacy } from './kard-legacy.ts'
import { misfitOf } from './kard-shapes.ts'
import { type FakeCall, type FakeReply, type FakeServer, openFakeServer } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: an upstream's records are the JSON they are
export type KardRecord = Record<string, any>

/** The records of the fake. Each API has its own form of them. */
export interface KardStore {
  organizationId: string
  legacy: { offers: KardRecord[]; locations: KardRecord[] }
  current: {
    offers: KardRecord[]
    locations: KardRecord[]
    /** The offers of the locations. */
    shopOffers: KardRecord[]
    /** Names of categories by id. */
    categories: Map<string, string>
  }
  /** The events of users that it took. Activations are among them. */
  events: { user: string; type: string; attributes: KardRecord }[]
  /** Ids of unknown users. */
  strangers: Set<string>
  /** If set, every answer is a refusal that repeats these texts. */
  repeats: string[]
}

/** The rewards upstream: tokens on one host, offers and locations of both APIs on another. */
export interface FakeKard extends KardStore {
  api: FakeServer
  tokens: FakeServer
  tokenUrl: string
  /** The former token endpoint, which reads the grant from the query. */
  formerTokenUrl: string
  clientId: string
  clientSecret: string
  /** Answers of a test in place of the fake's own. */
  instead: { token?: FakeReply; api?: (call: FakeCall) => FakeReply }
  /** Answers that do not fit Kard's description, one line each. */
  misfits: string[]
  /** Ends all tokens that were issued. */
  revokeTokens(): void
  /** Lifetime of the tokens that are issued from now on. */
  tokenSeconds: number
  /** A notification with its signature. */
  notification(secret: string, content: unknown): { raw: string; headers: Record<string, string> }
  close(): Promise<void>
}

const clientId = 'sample-client'
const clientSecret = 'sample-client-secret'
const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

export async function openFakeKard(): Promise<FakeKard> {
  const live = new Map<string, number>()
  let issued = 0

  function issueToken(): FakeReply {
    const token = `token-${++issued}`
    live.set(token, performance.now() + fake.tokenSeconds * 1_000)
    return { status: 200, body: { access_token: token, expires_in: fake.tokenSeconds, token_type: 'Bearer' } }
  }

  const tokens = await openFakeServer(
    (call) => fake.instead.token ?? checked(call, tokenFault(call) ?? issueToken()),
    (status) => refusalOf(status, `status ${status}`),
  )

  function answer(call: FakeCall): FakeReply {
    const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
    const isCurrent = call.path.startsWith('/v2/')
    if ((live.get(token) ?? 0) < performance.now()) {
      return { status: 401, body: isCurrent ? refusalOf(401, 'Unauthorized') : { message: 'Unauthorized' } }
    }
    const found = isCurrent ? answerOfCurrent(fake, call) : answerOfLegacy(fake, call)
    return found ?? { status: 404, body: isCurrent ? refusalOf(404, 'Not Found') : 'Not Found' }
  }

  const api = await openFakeServer(
    (call) => fake.instead.api?.(call) ?? checked(call, answer(call)),
    (status, { path }) => {
      if (path.startsWith('/v2/')) return refusalOf(status, `status ${status}`)
      return status === 401 ? { message: `status ${status}` } : `status ${status}`
    },
  )

  function checked(call: FakeCall, reply: FakeReply): FakeReply {
    const misfit = misfitOf(call.path, reply)
    if (misfit) fake.misfits.push(`${call.method} ${call.path} ${reply.status}: ${misfit}`)
    return reply
  }

  const fake: FakeKard = {
    api,
    tokens,
    tokenUrl: `${tokens.url}/v2/auth/token`,
    formerTokenUrl: `${tokens.url}/oauth2/token`,
    clientId,
    clientSecret,
    organizationId: 'organization-123',
    legacy: { offers: [], locations: [] },
    current: { offers: [], locations: [], shopOffers: [], categories: new Map() },
    events: [],
    strangers: new Set(),
    repeats: [],
    instead: {},
    misfits: [],
    revokeTokens: () => live.clear(),
    tokenSeconds: 3600,
    notification(secret, content) {
      const raw = JSON.stringify(content)
      return { raw, headers: { 'notify-signature': createHmac('sha256', secret).update(raw).digest('base64') } }
    },
    close: async () => {
      await Promise.all([api.close(), tokens.close()])
    },
  }
  return fake
}

/** The refusal of a token request; undefined for one that is right. */
function tokenFault({ method, path, query, headers, body }: FakeCall): FakeReply | undefined {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  if (path === '/v2/auth/token') {
    const grant = isForm ? new URLSearchParams(body.toString()).get('grant_type') : null
    if (method !== 'POST' || grant !== 'client_credentials' || query.size > 0) {
      return { status: 400, body: refusalOf(400, 'grant_type is required in the form') }
    }
    return headers.authorization === basic ? undefined : { status: 401, body: refusalOf(401, 'invalid client') }
  }
  if (method !== 'POST' || query.get('grant_type') !== 'client_credentials') {
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  }
  return headers.authorization === basic ? undefined : { status: 400, body: { error: 'invalid_client' } }
}
