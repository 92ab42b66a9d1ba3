import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { isConnectionError, isProblem, PurserConnectionError, PurserProblem, PurserWebhookError } from './errors.ts'
import { Purser } from './purser.ts'

type Answer = Response | Error | (() => Response | Promise<Response>)

/** A client whose requests are answered from a list. */
function scripted(...answers: Answer[]) {
  const sent: { url: string; init: RequestInit & { headers: Record<string, string> } }[] = []
  const fetchNext = async (url: unknown, init: unknown) => {
    sent.push({ url: String(url), init: init as never })
    const answer = answers.shift()
    if (answer instanceof Error || answer === undefined) throw answer ?? new Error('no more answers')
    return typeof answer === 'function' ? answer() : answer
  }
  const purser = new Purser({ url: 'http://bank.test/', apiKey: 'secret-key', fetch: fetchNext as typeof fetch })
  return { purser, sent, keys: () => sent.map(({ init }) => init.headers['idempotency-key']) }
}

const body = { amount: 2000, counterpartyAccountId: '7', originalType: 'ACH', description: 'Rent' } as const

function data(value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ data: value }), { status: 201, headers })
}

function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const fields = { type: '/problems', title: 'Title', status, detail: 'Detail.', code, requestId: 'r1' }
  return new Response(JSON.stringify(fields), { status, headers: { 'retry-after': '0', ...headers } })
}

function caught(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

describe('requests', () => {
  test('a call sends the API key, the input and an idempotency key, and returns the data', async () => {
    const { purser, sent } = scripted(data({ id: '1' }, { 'x-request-id': 'r1' }))
    const { data: payment, response } = await purser.payments.create('a/b', body).withResponse()
    expect(payment).toEqual({ id: '1' })
    expect(response).toMatchObject({ status: 201, requestId: 'r1', replayed: false, attempts: 1 })
    expect(sent[0]?.url).toBe('http://bank.test/v0/banking/accounts/a%2Fb/payments')
    expect(JSON.parse(String(sent[0]?.init.body))).toEqual(body)
    expect(sent[0]?.init.headers).toMatchObject({
      'x-service-api-key': 'secret-key',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('an idempotency key of the caller is sent, from the options or from the body', async () => {
    const { purser, keys } = scripted(data({}), data({}))
    await purser.payments.create('1', body, { idempotencyKey: 'rent-2026-11' })
    await purser.payments.create('1', { ...body, idempotencyKey: 'in-body' } as typeof body)
    expect(keys()).toEqual(['rent-2026-11', 'in-body'])
  })

  test('a read that may be stale names the position after the own writes', async () => {
    const written = (position: string) => data({}, { 'purser-position': position })
    const { purser, sent } = scripted(
      data([]),
      written('7'),
      data([]),
      written('5'),
      data([]),
      data({}),
      data([]),
      data([]),
    )
    const list = (options = { stale: 5.5 }) => purser.cards.list({}, options).page()
    await list()
    await purser.payments.create('1', body)
    await list()
    await purser.payments.create('1', body)
    await list()
    // The position of this write is unknown, so that the primary has to answer.
    await purser.payments.create('1', body)
    await list()
    await list({} as { stale: number })
    const reads = sent.filter(({ init }) => init.method === 'GET').map(({ init }) => init.headers)
    expect(reads.map(({ prefer, 'purser-position': position }) => [prefer, position])).toEqual([
      ['stale=5', undefined],
      ['stale=5', '7'],
      ['stale=5', '7'],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  test('headers of the caller replace the own ones, in any letter case, except the API key', async () => {
    const { purser, sent } = scripted(problem(422, 'insufficient_funds'))
    const headers = { 'Idempotency-Key': 'mine', 'X-Service-API-Key': 'another', 'X-Tenant': 't' }
    const error = await purser.payments.create('1', body, { headers }).catch((caught) => caught)
    expect(error).toMatchObject({ code: 'insufficient_funds', idempotencyKey: 'mine' })
    expect(sent[0]?.init.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'mine',
      'x-service-api-key': 'secret-key',
      'x-tenant': 't',
    })
  })

  test.each(['two\r\nx-injected: 1', 'Miete €'])(
    'a header cannot be %j, and nothing is sent',
    async (idempotencyKey) => {
      const { purser, sent } = scripted()
      const call = purser.payments.create('1', body, { idempotencyKey })
      await expect(call).rejects.toThrow(/^createPayment: the header idempotency-key has characters/)
      expect(sent).toEqual([])
    },
  )

  test('a time limit and a number of retries that are none are errors, and a limit may be infinite', async () => {
    const { purser, sent } = scripted(data({}), data({}))
    for (const timeoutMs of [0, -1, Number.NaN, '5' as unknown as number]) {
      await expect(purser.me.get({ timeoutMs })).rejects.toThrow(/^timeoutMs must be a number from 1, not/)
    }
    for (const retries of [-1, Number.NaN]) {
      await expect(purser.me.get({ retries })).rejects.toThrow(/^retries must be a number from 0, not/)
    }
    expect(sent).toEqual([])
    for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) await purser.me.get({ timeoutMs })
    expect(sent.map(({ init }) => init.signal?.aborted)).toEqual([false, false])
  })

  test('members that are undefined are left out of a query, and lists are repeated', async () => {
    const { purser, sent } = scripted(data([]))
    await purser.events.list({ type: ['payment.*', 'card.*'], limit: undefined, after: 5 }).page()
    expect(sent[0]?.url).toBe('http://bank.test/v0/events?type=payment.*&type=card.*&after=5')
  })

  test('a missing path parameter and an unknown operation are errors before anything is sent', async () => {
    const { purser, sent } = scripted()
    await expect(purser.payments.get('')).rejects.toThrow('getPayment: paymentId is missing')
    await expect(purser.call('nothing' as 'getMe', {})).rejects.toThrow('there is no operation nothing')
    expect(sent).toEqual([])
  })

  test('an error is an instance of its class in every copy of the package', async () => {
    const path = './errors.ts?copy'
    const copy = (await import(/* @vite-ignore */ path)) as typeof import('./errors.ts')
    expect(copy.PurserProblem).not.toBe(PurserProblem)
    const connection = new copy.PurserConnectionError('getMe', 'timeout', 'late')
    const fields = { code: 'not_found', status: 404, title: '', detail: '', errors: [] }
    const none = { requestId: undefined, retryAfter: undefined, resumeAfter: undefined, idempotencyKey: undefined }
    const problem = new copy.PurserProblem('getMe', { ...fields, ...none })
    const webhook = new copy.PurserWebhookError('missing_header', 'no header')
    const classes = [PurserProblem, PurserConnectionError, PurserWebhookError]
    for (const [at, error] of [problem, connection, webhook].entries()) {
      expect(classes.map((each) => error instanceof each)).toEqual(classes.map((_each, place) => place === at))
    }
    expect(new Error('other') instanceof PurserProblem).toBe(false)
  })

  test('a path parameter cannot lead to another operation', async () => {
    const { purser, sent } = scripted()
    for (const id of ['.', '..'])
      await expect(purser.sandbox.faults.delete(id)).rejects.toThrow(`faultRuleId cannot be ${id}`)
    const record = { id: '1' } as unknown as string
    await expect(purser.accounts.get(record)).rejects.toThrow('getAccount: accountId is not a string')
    await expect(purser.call('constructor' as 'getMe', {})).rejects.toThrow('there is no operation constructor')
    expect(sent).toEqual([])
  })

  test.each([
    'http://user:hidden@bank.test',
    'http://:hidden@bank.test',
    'http://bank.test?hidden',
    'http://bank.test#hidden',
  ])('the address %s is refused and not repeated', (url) => {
    const { message } = caught(() => new Purser({ url, apiKey: 'k' }))
    expect(message).toMatch(/a password, a query or a fragment/)
    expect(message).not.toContain('hidden')
  })

  test('an empty variable of the environment counts as none, and blanks around an address are left out', async () => {
    vi.stubEnv('PURSER_URL', '')
    const sent: unknown[] = []
    const recording = async (url: unknown) => {
      sent.push(url)
      return data({})
    }
    await new Purser({ apiKey: 'k', fetch: recording as typeof fetch }).me.get()
    await new Purser({ url: ' http://bank.test/prefix/ ', apiKey: 'k', fetch: recording as typeof fetch }).me.get()
    vi.unstubAllEnvs()
    expect(sent).toEqual(['http://127.0.0.1:4000/v0/me', 'http://bank.test/prefix/v0/me'])
  })

  test('an address that is no URL and a missing key are errors of the constructor', () => {
    expect(() => new Purser({ url: 'bank', apiKey: 'k' })).toThrow(/not an http or https URL/)
    expect(() => new Purser({ url: 'http://bank.test/v0/', apiKey: 'k' })).toThrow('ends before /v0: http://bank.test')
    expect(() => new Purser({ url: 'http://127.0.0.1', apiKey: '' })).toThrow(/needs an API key: .* data\/api-key/)
    expect(() => new Purser({ url: 'http://127.0.0.1', apiKey: 'two\nlines' })).toThrow(/no header may have/)
  })

  test('a line break after the key, as files have one, is left out', async () => {
    const sent: unknown[] = []
    const recording = async (_url: unknown, { headers = {} }: RequestInit) => {
      sent.push(headers)
      return data({})
    }
    await new Purser({ url: 'http://bank.test', apiKey: 'key\n', fetch: recording as typeof fetch }).me.get()
    expect(sent[0]).toMatchObject({ 'x-service-api-key': 'key' })
  })

  test('a page of a browser has no process, and without TLS no randomUUID', async () => {
    const getRandomValues = crypto.getRandomValues.bind(crypto)
    vi.stubGlobal('process', undefined)
    vi.stubGlobal('crypto', { getRandomValues })
    try {
      const { purser, keys } = scripted(data({}))
      await purser.payments.create('1', body)
      expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/)
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('the key is not shown when a client or an error is printed', async () => {
    const { inspect } = await import('node:util')
    const { purser } = scripted(new Error('refused'), new Error('refused'), new Error('refused'))
    const error = await purser.me.get({ retries: 0 }).catch((caught) => caught)
    expect(inspect(purser, { depth: 9, showHidden: true }) + inspect(error)).not.toContain('secret-key')
  })
})

describe('retries', () => {
  test.each([
    ['a network failure', () => new Error('socket hang up')],
    ['408', () => problem(408, 'request_timeout')],
    ['429', () => problem(429, 'rate_limited')],
    ['500', () => problem(500, 'internal_error')],
    ['503', () => problem(503, 'unavailable')],
    ['409 of a request in progress', () => problem(409, 'idempotency_in_progress')],
    ['a page of a gateway', () => new Response('<html>', { status: 502 })],
  ])('%s is tried again with the same key, three times in all', async (_name, answer) => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { purser, keys } = scripted(answer(), answer(), data({ id: '1' }))
    const { response } = await purser.payments.create('1', body).withResponse()
    expect(response.attempts).toBe(3)
    expect(new Set(keys()).size).toBe(1)
    const failing = scripted(answer(), answer(), answer(), data({}))
    await expect(failing.purser.payments.create('1', body)).rejects.toThrow(/createPayment/)
    expect(failing.sent.length).toBe(3)
    vi.restoreAllMocks()
  })

  test.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [404, 'account_not_found'],
    [409, 'idempotency_key_reused'],
    [422, 'insufficient_funds'],
    [501, 'not_supported_by_provider'],
    [502, 'upstream_outcome_unknown'],
  ])('%s %s is not tried again', async (status, code) => {
    const { purser, sent } = scripted(problem(status, code))
    const error = await purser.payments.create('1', body).catch((caught) => caught)
    expect(error).toBeInstanceOf(PurserProblem)
    expect(error).toMatchObject({ operation: 'createPayment', code, status, requestId: 'r1' })
    expect(sent.length).toBe(1)
  })

  test('a DELETE whose answer was lost is sent again, and reports a record that is gone by then', async () => {
    const { purser, sent, keys } = scripted(new Error('lost'), problem(404, 'external_account_not_found'))
    const refusal = await purser.externalAccounts.delete('7').catch((error: unknown) => error)
    expect(isProblem(refusal, 'external_account_not_found')).toBe(true)
    expect([sent.length, ...keys()]).toEqual([2, undefined, undefined])
  })

  test('a pause of more than a minute is left to the caller, who learns its length', async () => {
    const { purser, sent } = scripted(problem(503, 'unavailable', { 'retry-after': '61' }))
    await expect(purser.payments.create('1', body)).rejects.toMatchObject({ retryAfter: 61 })
    expect(sent.length).toBe(1)
  })

  test('retries can be turned off', async () => {
    const { purser, sent } = scripted(problem(503, 'unavailable'))
    await expect(purser.payments.create('1', body, { retries: 0 })).rejects.toMatchObject({ code: 'unavailable' })
    expect(sent.length).toBe(1)
  })

  test('a signal ends the wait between two attempts', async () => {
    const { purser, sent } = scripted(problem(503, 'unavailable', { 'retry-after': '50' }))
    const ended = new AbortController()
    const call = purser.payments.create('1', body, { signal: ended.signal })
    await vi.waitFor(() => expect(sent.length).toBe(1))
    await nextTurn()
    ended.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('a signal ends a list between two pages', async () => {
    const { purser, sent } = scripted(data([{ id: '1' }], { link: '</v0/banking/payments?cursor=x>; rel="next"' }))
    const ended = new AbortController()
    const read = async () => {
      for await (const _payment of purser.payments.list({}, { signal: ended.signal })) ended.abort()
    }
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' })
    expect(sent[1]?.init.signal?.aborted).toBe(true)
  })

  test('Retry-After is obeyed, also that of a gateway', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const gateway = () => new Response('<html>', { status: 503, headers: { 'retry-after': '0.2' } })
    const { purser } = scripted(gateway(), problem(503, 'unavailable', { 'retry-after': '0.2' }), data({}))
    const startedMs = performance.now()
    await purser.payments.create('1', body)
    expect(performance.now() - startedMs).toBeGreaterThan(390)
    vi.restoreAllMocks()
    const closed = scripted(new Response('<html>', { status: 503, headers: { 'retry-after': '3600' } }))
    await expect(closed.purser.payments.create('1', body)).rejects.toMatchObject({ status: 503, retryAfter: 3600 })
  })
})

describe('errors', () => {
  test('a failed call is handled once, with and without `withResponse`', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { purser } = scripted(problem(404, 'account_not_found'), problem(404, 'account_not_found'))
    await expect(purser.accounts.get('1').withResponse()).rejects.toMatchObject({ code: 'account_not_found' })
    await expect(purser.accounts.get('1')).rejects.toMatchObject({ code: 'account_not_found' })
    await nextTurn()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('a refusal that may pass holds the idempotency key of its call', async () => {
    const { purser, keys } = scripted(problem(503, 'unavailable'))
    const error = await purser.payments.create('1', body, { retries: 0 }).catch((caught) => caught)
    expect(error.idempotencyKey).toBe(keys()[0])
  })

  test('a body that cannot be written as JSON is an error of the caller, and nothing is sent', async () => {
    const { purser, sent } = scripted()
    const wrong = { ...body, amount: 20n } as unknown as typeof body
    await expect(purser.payments.create('1', wrong)).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  test('a timeout is a connection error that holds the idempotency key', async () => {
    const never = (_url: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const purser = new Purser({ url: 'http://bank.test', apiKey: 'k', fetch: never as typeof fetch })
    const options = { timeoutMs: 10, retries: 0, idempotencyKey: 'rent' }
    const error = await purser.payments.create('1', body, options).catch((caught) => caught)
    expect(error).toBeInstanceOf(PurserConnectionError)
    expect(error).toMatchObject({ reason: 'timeout', operation: 'createPayment', idempotencyKey: 'rent' })
    expect(isConnectionError(error) && !isProblem(error)).toBe(true)
  })

  test('a redirect is not followed, because it would carry the key away', async () => {
    const { purser, sent } = scripted(new Response('', { status: 302, headers: { location: 'http://elsewhere.test' } }))
    const error = await purser.me.get().catch((caught) => caught)
    expect(error).toMatchObject({ reason: 'unexpected_answer', status: 302 })
    expect(error.message).toMatch(
      /^getMe: http:..bank.test answered with status 302, a redirect to http:..elsewhere.test/,
    )
    expect(sent[0]?.init.redirect).toBe('manual')
  })

  test('a success that is not from the service is an unexpected answer', async () => {
    const { purser } = scripted(new Response('<html>Sign in</html>', { status: 200 }), new Response('{"ok": true}'))
    await expect(purser.me.get()).rejects.toMatchObject({ reason: 'unexpected_answer', status: 200 })
    await expect(purser.me.get()).rejects.toMatchObject({ reason: 'unexpected_answer', status: 200 })
  })

  test.each<[string, (purser: Purser) => Promise<unknown>]>([
    ['a delete', (purser) => purser.externalAccounts.delete('1')],
    ['a file', (purser) => purser.statements.getPdf('1')],
    ['a list', (purser) => purser.payments.list().page()],
    ['a write', (purser) => purser.payments.create('1', body, { idempotencyKey: 'rent' })],
  ])('%s does not take the page of a proxy for its answer', async (name, call) => {
    const page = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } })
    const error = await call(scripted(page()).purser).catch((caught: unknown) => caught)
    const idempotencyKey = name === 'a write' ? 'rent' : undefined
    expect(error).toMatchObject({ reason: 'unexpected_answer', status: 200, idempotencyKey })
  })

  test('a list whose data is none, and one that names the same page for ever, are errors', async () => {
    await expect(scripted(data({})).purser.payments.list().page()).rejects.toMatchObject({
      reason: 'unexpected_answer',
    })
    const same = () => data([{ id: '1' }], { link: '</v0/banking/payments?offset=1>; rel="next"' })
    const { purser, sent } = scripted(same(), same(), same())
    const read = async () => {
      for await (const _payment of purser.payments.list());
    }
    await expect(read()).rejects.toThrow(/does not move on/)
    expect(sent.length).toBe(2)
  })

  test.each([null, 'text', [null], [{ pointer: '/x' }]])(
    'a refusal with the errors %j is still one',
    async (errors) => {
      const fields = { code: 'invalid_request', detail: 'Detail.', errors }
      const { purser } = scripted(new Response(JSON.stringify(fields), { status: 400 }))
      const error = await purser.payments.create('1', body).catch((caught) => caught)
      expect(error).toMatchObject({ code: 'invalid_request', errors: [] })
      expect(error.message).toBe('createPayment: invalid_request (400): Detail.')
    },
  )

  test('a failure of the network is named by its code', async () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' })
    const { purser } = scripted(new TypeError('fetch failed', { cause: refused }), new Error('socket hang up'))
    const detail = (why: string) => `getMe: http://bank.test cannot be reached (${why}): is Purser running there?`
    await expect(purser.me.get({ retries: 0 })).rejects.toThrow(detail('ECONNREFUSED'))
    await expect(purser.me.get({ retries: 0 })).rejects.toThrow(detail('socket hang up'))
  })

  test('a feed that is answered at once, and empty, is not asked without a pause', async () => {
    const sent: string[] = []
    const empty = async (url: unknown) => {
      sent.push(String(url))
      return data([])
    }
    const purser = new Purser({ url: 'http://bank.test', apiKey: 'k', fetch: empty as typeof fetch })
    const feed = purser.events.follow({ after: 5, signal: AbortSignal.timeout(300) })
    expect((await feed.next()).done).toBe(true)
    expect(sent).toEqual(['http://bank.test/v0/events?after=5&wait=25'])
  })

  test('isProblem knows the errors of another copy of the package', () => {
    const foreign = { [Symbol.for('purser.error')]: 'problem', code: 'insufficient_funds' }
    expect(isProblem(foreign)).toBe(true)
    expect(isProblem(foreign, 'account_not_open', 'insufficient_funds')).toBe(true)
    expect(isProblem(foreign, 'account_not_open')).toBe(false)
    expect(isProblem(new Error('insufficient_funds'))).toBe(false)
    expect(isProblem(null)).toBe(false)
  })
})
