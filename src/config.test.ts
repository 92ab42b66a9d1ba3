import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, parseConfig, settingNames, unknownSettings, unpaidWarning } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const live = {
  PURSER_MODE: 'live',
  DATABASE_URL: 'postgres://purser:secret@db:5432/bank',
  PURSER_ENCRYPTION_KEY: key,
  PURSER_ACH: 'instant',
}

const decisionSecret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

function faultsOf(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

describe('the configuration', () => {
  test('lets agents write in a sandbox, and in live mode only where it says so', () => {
    expect(parseConfig({ PURSER_MCP_WRITES: 'off' }).mcpWrites).toBe(false)
    expect(parseConfig(live).mcpWrites).toBe(false)
    expect(parseConfig({ ...live, PURSER_MCP_WRITES: 'on' }).mcpWrites).toBe(true)
  })

  test.each([
    ['PURSER_KEEP_ANSWERS', 'PT23H59M', 'P1D'],
    ['PURSER_KEEP_KEYLESS_ANSWERS', 'PT9M', 'PT10M'],
    ['PURSER_KEEP_ATTRIBUTIONS', 'PT1H', 'P1D'],
    ['PURSER_KEEP_DELIVERIES', 'PT1H', 'P1D'],
    ['PURSER_KEEP_DENIALS', 'P29D', 'P30D'],
    ['PURSER_KEEP_EVENTS', 'P6D', 'P7D'],
    ['PURSER_KEEP_EXPIRED', 'PT0S', 'PT1H'],
    ['PURSER_KEEP_INBOUND', '90 days', 'P7D'],
  ])('refuses %s=%s', (name, value, least) => {
    expect(faultsOf({ [name]: value })).toEqual([
      `${name} must be forever, or an ISO 8601 duration of days and less from ${least} on`,
    ])
  })

  test('needs nothing', () => {
    expect(parseConfig({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      cells: [],
      databaseWaitMs: 60_000,
      dataDir: resolve('./data'),
      apiKey: undefined,
      keep: {
        answersMs: 7_776_000_000,
        attributionsMs: 604_800_000,
        keylessAnswersMs: 3_600_000,
        deliveriesMs: 2_592_000_000,
        denialsMs: 34_560_000_000,
        eventsMs: Number.POSITIVE_INFINITY,
        expiredMs: 2_592_000_000,
        inboundMs: 7_776_000_000,
      },
      mode: 'sandbox',
      demo: true,
      routingNumber: '812345678',
      overdraftCents: 0,
      reviewFirstPayment: false,
      debits: { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false },
      verificationDays: 10,
      recurringOverdue: 'all',
      ach: 'instant',
      review: 'automatic',
      decision: undefined,
      screening: undefined,
      rewardPayoutDelayMs: 0,
      encryptionKey: undefined,
      webhookTimeoutMs: 15_000,
      webhookRetriesMs: [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((each) => each * 1_000),
      logLevel: 'info',
      unit: undefined,
      kard: undefined,
      upstreamTimeouts: { callMs: 10_000, totalMs: 30_000, uploadMs: 120_000 },
      rates: { reads: 100, writes: 25 },
      maxRequests: 10_000,
      processes: 1,
      trustedProxies: [],
      hosts: [],
      mcpWrites: true,
      people: { mode: 'sandbox', origin: undefined, keys: true, roles: {} },
      metricsPort: undefined,
    })
  })

  test('reads every variable', () => {
    expect(
      parseConfig({
        ...live,
        PORT: '8080',
        HOST: '0.0.0.0',
        PURSER_DATA_DIR: '/var/lib/purser',
        PURSER_API_KEY: 'a-key-of-20-letters!',
        PURSER_DEMO: 'off',
        PURSER_ROUTING_NUMBER: '021000021',
        PURSER_OVERDRAFT: '5000',
        PURSER_REVIEW: 'automatic',
        LOG_LEVEL: 'silent',
        PURSER_REWARD_PAYOUT_DELAY: 'P7DT1H',
        PURSER_WEBHOOK_TIMEOUT: 'PT3S',
        PURSER_WEBHOOK_RETRIES: 'PT1S, PT1M,P1D',
        PURSER_BANKING_PROVIDER: 'unit',
        PURSER_UNIT_URL: 'https://upstream.example/api/',
        PURSER_UNIT_TOKEN: 'token-of-the-upstream',
        PURSER_UNIT_WEBHOOK_SECRET: 'secret-of-the-webhooks',
        PURSER_UNIT_REQUESTS_PER_MINUTE: '0',
        PURSER_UNIT_PAYMENT_MS: '3',
        PURSER_UNIT_APPLICATION_MS: '4',
        PURSER_UNIT_DEPOSIT_PRODUCT: 'vip checking',
        PURSER_UNIT_ACCOUNT_SORT: 'on',
        PURSER_UNIT_FUNDING_ACCOUNT_ID: '42',
        PURSER_REWARDS_PROVIDER: 'kard',
        PURSER_KARD_URL: 'https://rewards.example',
        PURSER_KARD_TOKEN_URL: 'https://tokens.example/oauth2/token',
        PURSER_KARD_TOKEN: 'query',
        PURSER_KARD_ORGANIZATION_ID: 'organization-123',
        PURSER_KARD_CLIENT_ID: 'id-of-the-client',
        PURSER_KARD_CLIENT_SECRET: 'secret-of-the-client',
        PURSER_KARD_WEBHOOK_SECRET: 'secret-of-the-notifications',
        PURSER_UPSTREAM_CALL_MS: '1',
        PURSER_UPSTREAM_TOTAL_MS: '2',
        PURSER_UPSTREAM_UPLOAD_MS: '600000',
        PURSER_RATE_LIMIT_READS: '1000',
        PURSER_RATE_LIMIT_WRITES: '250',
        PURSER_MAX_REQUESTS: '500',
        PURSER_PROCESSES: '3',
        PURSER_METRICS_PORT: '9464',
        PURSER_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1',
        PURSER_HOSTS: 'Bank.example.com, [fd00::1]',
        PURSER_MCP_WRITES: 'on',
        PURSER_CONSOLE_ORIGIN: 'https://bank.example/',
        PURSER_CONSOLE_KEYS: 'on',
        PURSER_OIDC_ISSUER: 'https://idp.example',
        PURSER_OIDC_CLIENT_ID: 'purser',
        PURSER_OIDC_CLIENT_SECRET: 'secret',
        PURSER_OIDC_CLAIM: 'teams',
        PURSER_OIDC_SCOPE: 'openid teams',
        PURSER_OIDC_ROLES: 'Bank admins=administrator@default, b=risk@Two',
        PURSER_ROLES: 'teller=banking:write+events:read, auditor=banking:read',
        PURSER_KEEP_ANSWERS: 'P1D',
        PURSER_KEEP_KEYLESS_ANSWERS: 'PT10M',
        PURSER_KEEP_ATTRIBUTIONS: 'P1D',
        PURSER_KEEP_DELIVERIES: 'P2D',
        PURSER_KEEP_DENIALS: 'forever',
        PURSER_KEEP_EVENTS: 'P90D',
        PURSER_KEEP_EXPIRED: 'PT1H',
        PURSER_KEEP_INBOUND: 'P7D',
        PURSER_DEBIT_STOP: 'unauthorized:0.5,all:15',
        PURSER_DEBIT_STOP_COMPANY: 'administrative:3',
        PURSER_DEBIT_RETRY: '2,5',
      }),
    ).toEqual({
      cells: [],
      keep: {
        answersMs: 86_400_000,
        attributionsMs: 86_400_000,
        keylessAnswersMs: 600_000,
        deliveriesMs: 172_800_000,
        denialsMs: Number.POSITIVE_INFINITY,
        eventsMs: 7_776_000_000,
        expiredMs: 3_600_000,
        inboundMs: 604_800_000,
      },
      port: 8080,
      host: '0.0.0.0',
      databaseUrl: live.DATABASE_URL,
      databaseWaitMs: 60_000,
      dataDir: '/var/lib/purser',
      apiKey: 'a-key-of-20-letters!',
      mode: 'live',
      demo: false,
      routingNumber: '021000021',
      overdraftCents: 50_00,
      reviewFirstPayment: false,
      debits: {
        ...{ clearingDays: 3, earlyAvailability: 0, blockOnReturn: false },
        stopAt: { unauthorized: 50, all: 15_00 },
        companyStopAt: { administrative: 3_00 },
        retryAfter: [2, 5],
      },
      verificationDays: 10,
      recurringOverdue: 'all',
      ach: 'instant',
      review: 'automatic',
      screening: undefined,
      decision: undefined,
      rewardPayoutDelayMs: 169 * 3_600_000,
      encryptionKey: Buffer.alloc(32, 7),
      webhookTimeoutMs: 3_000,
      webhookRetriesMs: [1_000, 60_000, 86_400_000],
      logLevel: 'silent',
      unit: {
        url: 'https://upstream.example/api',
        token: 'token-of-the-upstream',
        webhookSecret: 'secret-of-the-webhooks',
        requestsPerMinute: 0,
        paymentMs: 3,
        applicationMs: 4,
        depositProduct: 'vip checking',
        sortsAccounts: true,
        fundingAccountId: '42',
      },
      kard: {
        url: 'https://rewards.example',
        tokenUrl: 'https://tokens.example/oauth2/token',
        token: 'query',
        organizationId: 'organization-123',
        clientId: 'id-of-the-client',
        clientSecret: 'secret-of-the-client',
        webhookSecret: 'secret-of-the-notifications',
      },
      upstreamTimeouts: { callMs: 1, totalMs: 2, uploadMs: 600_000 },
      rates: { reads: 1_000, writes: 250 },
      maxRequests: 500,
      processes: 3,
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1'],
      hosts: ['bank.example.com', '[fd00::1]'],
      mcpWrites: true,
      people: {
        mode: 'live',
        origin: 'https://bank.example',
        keys: true,
        provider: {
          issuer: 'https://idp.example',
          clientId: 'purser',
          clientSecret: 'secret',
          claim: 'teams',
          scope: 'openid teams',
          roles: [
            { group: 'Bank admins', role: 'administrator', organisation: 'default' },
            { group: 'b', role: 'risk', organisation: 'Two' },
          ],
        },
        roles: { teller: ['banking:write', 'events:read'], auditor: ['banking:read'] },
      },
      metricsPort: 9464,
    })
  })

  test('takes an empty variable for an absent one', () => {
    const names = [...settingNames()]
    expect(names).toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'PURSER_MODE', 'PURSER_PROCESSES']))
    expect(parseConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(parseConfig({}))
  })

  test('finds variables that are no settings', () => {
    const known = {
      PURSER_REVIEW: 'manual',
      PURSER_CELL_EAST: 'x',
      PURSER_READ_URL_EAST: 'x',
      PURSER_API_KEY_FILE: 'x',
    }
    expect(unknownSettings({ ...known, PURSERS: 'x', PORTS: 'x' })).toEqual([])
    expect(unknownSettings({ ...known, PURSER_REVEIW: 'manual', PURSER_APIKEY: 'x' })).toEqual([
      { name: 'PURSER_REVEIW', meant: undefined },
      { name: 'PURSER_APIKEY', meant: 'PURSER_API_KEY' },
    ])
  })

  test('has at least one request under way for each process', () => {
    expect(faultsOf({ PURSER_PROCESSES: '3', PURSER_MAX_REQUESTS: '3' })).toEqual([])
    expect(faultsOf({ PURSER_PROCESSES: '3', PURSER_MAX_REQUESTS: '2' })).toEqual([
      'PURSER_MAX_REQUESTS must be at least PURSER_PROCESSES: each process gets an equal part of it',
    ])
  })

  test('reports all faults at once, a line each, by name', () => {
    const faults = faultsOf({
      PORT: '65536',
      DATABASE_URL: 'mysql://x',
      PURSER_API_KEY: 'short',
      PURSER_MODE: 'production',
      PURSER_DEMO: 'yes',
      PURSER_ROUTING_NUMBER: '12345678',
      PURSER_OVERDRAFT: '-1',
      PURSER_REVIEW: 'none',
      PURSER_ENCRYPTION_KEY: 'c2hvcnQ=',
      LOG_LEVEL: 'loud',
      PURSER_WEBHOOK_TIMEOUT: 'PT61S',
      PURSER_WEBHOOK_RETRIES: 'PT1S,soon',
    })
    const named = faults.map((fault) => fault.split(' ')[0])
    expect(named.sort()).toEqual(
      [
        'PORT',
        'DATABASE_URL',
        'PURSER_API_KEY',
        'PURSER_MODE',
        'PURSER_DEMO',
        'PURSER_ROUTING_NUMBER',
        'PURSER_OVERDRAFT',
        'PURSER_REVIEW',
        'PURSER_ENCRYPTION_KEY',
        'LOG_LEVEL',
        'PURSER_WEBHOOK_TIMEOUT',
        'PURSER_WEBHOOK_RETRIES',
      ].sort(),
    )
  })

  test('takes webhook time-outs and retries up to their edges', () => {
    const timeouts = (text: string) => faultsOf({ PURSER_WEBHOOK_TIMEOUT: text }).length
    expect(['PT1S', 'PT60S', 'PT1M', 'PT0S', 'PT61S'].map(timeouts)).toEqual([0, 0, 0, 1, 1])
    const retries = (count: number) => faultsOf({ PURSER_WEBHOOK_RETRIES: Array(count).fill('PT0S').join() }).length
    expect([1, 20, 21].map(retries)).toEqual([0, 0, 1])
  })

  test('reads who takes part in decisions of the built-in bank, and refuses it with another one', () => {
    const asked = {
      PURSER_REVIEW_FIRST_PAYMENT: 'on',
      PURSER_DECISION_URL: 'https://app.example/decisions?of=cards',
      PURSER_DECISION_SECRET: decisionSecret,
      PURSER_DECISION_ON_SILENCE: 'approve',
      PURSER_SCREENING_URL: 'https://screening.example/',
      PURSER_SCREENING_SECRET: decisionSecret,
    }
    const url = 'https://app.example/decisions?of=cards'
    expect(parseConfig({ ...live, ...asked })).toMatchObject({
      reviewFirstPayment: true,
      screening: { url: 'https://screening.example/', secret: decisionSecret, timeoutMs: 3_000 },
      decision: { url, secret: decisionSecret, timeoutMs: 1_200, onSilence: 'approve' },
    })
    const unit = {
      PURSER_BANKING_PROVIDER: 'unit',
      PURSER_UNIT_URL: 'https://upstream.example',
      PURSER_UNIT_TOKEN: 'token-of-the-upstream',
      PURSER_UNIT_WEBHOOK_SECRET: 'secret-of-the-webhooks',
    }
    expect(faultsOf({ ...unit, ...asked })).toEqual(
      ['PURSER_SCREENING_URL', 'PURSER_DECISION_URL', 'PURSER_REVIEW_FIRST_PAYMENT=on'].map(
        (name) => `${name} has no use with PURSER_BANKING_PROVIDER=unit, which decides by itself`,
      ),
    )
    expect(faultsOf({ ...unit, PURSER_REVIEW_FIRST_PAYMENT: 'off' })).toEqual([])
  })

  test('takes a screening with its secret, by https in live mode', () => {
    const hook = { PURSER_SCREENING_URL: 'http://127.0.0.1:8080/', PURSER_SCREENING_SECRET: decisionSecret }
    expect(parseConfig(hook).screening).toEqual({
      url: 'http://127.0.0.1:8080/',
      secret: decisionSecret,
      timeoutMs: 3_000,
    })
    expect(parseConfig({ ...live, ...hook }).screening?.url).toBe('http://127.0.0.1:8080/')
    const atUrl = (url: string) => faultsOf({ ...live, ...hook, PURSER_SCREENING_URL: url })
    for (const url of ['http://localhost:3000/', 'http://[::1]/', 'https://10.1.2.3/']) expect(atUrl(url)).toEqual([])
    for (const url of ['http://10.1.2.3/', 'http://localhost.example/', 'http://127.0.0.1.example/']) {
      expect(atUrl(url)).toEqual(['PURSER_SCREENING_URL must be an https:// URL, or an http:// one on this machine'])
    }
    expect(faultsOf({ PURSER_SCREENING_URL: hook.PURSER_SCREENING_URL })).toEqual([
      'PURSER_SCREENING_SECRET is required with PURSER_SCREENING_URL',
    ])
  })

  test('takes a decision hook with its secret, by https in live mode', () => {
    const url = 'http://app.example:8080/decide?a=b'
    const hook = { PURSER_DECISION_URL: url, PURSER_DECISION_SECRET: decisionSecret }
    expect(parseConfig(hook).decision).toEqual({ url, secret: decisionSecret, timeoutMs: 1_200, onSilence: 'decline' })
    expect(parseConfig({ PURSER_DECISION_SECRET: decisionSecret }).decision).toBeUndefined()
    expect(faultsOf({ PURSER_DECISION_URL: url })).toEqual([
      'PURSER_DECISION_SECRET is required with PURSER_DECISION_URL',
    ])
    expect(faultsOf({ ...live, ...hook })).toEqual([
      'PURSER_DECISION_URL must be an https:// URL, or an http:// one on this machine',
    ])
    const timeouts = (text: string) => faultsOf({ ...hook, PURSER_DECISION_TIMEOUT: text }).length
    expect(['100', '2000', '99', '2001', 'PT1S'].map(timeouts)).toEqual([0, 0, 1, 1, 1])
    expect(parseConfig({ ...hook, PURSER_DECISION_TIMEOUT: '900' }).decision?.timeoutMs).toBe(900)
    for (const odd of ['https://user:pass@app.example', 'https://app.example/#part']) {
      expect(faultsOf({ ...hook, PURSER_DECISION_URL: odd })).toEqual([
        'PURSER_DECISION_URL must be a URL without user, password and fragment',
      ])
    }
    expect(faultsOf({ ...hook, PURSER_DECISION_ON_SILENCE: 'review' })).toEqual([
      'PURSER_DECISION_ON_SILENCE must be approve or decline',
    ])
    const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
    for (const [secret, faults] of [
      [secretOf(23), 1],
      [secretOf(24), 0],
      [secretOf(64), 0],
      [secretOf(65), 1],
      [secretOf(32).slice(1), 1],
      [`${secretOf(32)}=`, 1],
      ['whsec_', 1],
    ] as const) {
      expect(faultsOf({ ...hook, PURSER_DECISION_SECRET: secret }), secret).toHaveLength(faults)
    }
  })

  test('never repeats a value, which may be a secret', () => {
    const faults = faultsOf({ PURSER_API_KEY: 'hush', PURSER_ENCRYPTION_KEY: 'hush', DATABASE_URL: 'hush://hush' })
    expect(faults.join()).not.toContain('hush')
  })
})

describe('the limits', () => {
  const edges: [name: string, taken: string[], refused: string[]][] = [
    ['PORT', ['0', '1', '65535'], ['-1', '65536', '80.5', '0x50', 'http', ' 80']],
    [
      'PURSER_API_KEY',
      ['12345678', 'x'.repeat(512), '~!@#$%^&*'],
      ['1234567', 'x'.repeat(513), 'two words', 'schlüssel'],
    ],
    ['PURSER_ROUTING_NUMBER', ['000000000', '812345678'], ['81234567', '8123456789', '81234567a']],
    ['PURSER_OVERDRAFT', ['0', '9007199254740991'], ['-1', '1.5', '1e3', '9007199254740993', 'none']],
    [
      'PURSER_ENCRYPTION_KEY',
      [key],
      [key.slice(1), `${key}=`, Buffer.alloc(31).toString('base64'), key.replace('=', '')],
    ],
    ['PURSER_MODE', ['sandbox'], ['Sandbox', 'test']],
    ['PURSER_DEMO', ['on', 'off'], ['true', 'ON']],
    ['PURSER_REVIEW', ['automatic', 'manual'], ['auto', 'Manual']],
    ['PURSER_REVIEW_FIRST_PAYMENT', ['on', 'off'], ['true', 'P7D', '1']],
    [
      'PURSER_UNIT_URL',
      ['https://a.example', 'http://127.0.0.1:1/x'],
      ['a.example', 'ftp://a', 'https://u:p@a', 'https://a?b'],
    ],
    ['PURSER_UNIT_TOKEN', ['x', 'x'.repeat(4096)], ['two words', 'schlüssel', 'x'.repeat(4097)]],
    ['PURSER_UNIT_WEBHOOK_SECRET', ['x'], ['two words']],
    ['PURSER_UNIT_REQUESTS_PER_MINUTE', ['0', '1000000'], ['-1', '1000001', 'many']],
    [
      'PURSER_UNIT_DEPOSIT_PRODUCT',
      ['x', 'checking', 'vip checking', 'x'.repeat(255)],
      [' x', 'x ', 'geschäft', 'x'.repeat(256)],
    ],
    ['PURSER_UNIT_ACCOUNT_SORT', ['on', 'off'], ['true', 'createdAt']],
    ['PURSER_UNIT_FUNDING_ACCOUNT_ID', ['1', '1'.repeat(19)], ['0', 'abc', '1'.repeat(20)]],
    ['PURSER_UPSTREAM_CALL_MS', ['1', '600000'], ['0', '600001', 'PT1S']],
    ['PURSER_UPSTREAM_TOTAL_MS', ['1', '600000'], ['0', '600001']],
    ['PURSER_UPSTREAM_UPLOAD_MS', ['1', '600000'], ['0', '600001']],
    ['PURSER_BANKING_PROVIDER', ['builtin'], ['Unit', 'none']],
    [
      'PURSER_KARD_URL',
      ['https://a.example', 'http://127.0.0.1:1/x'],
      ['a.example', 'ftp://a', 'https://u:p@a', 'https://a?b'],
    ],
    ['PURSER_KARD_TOKEN_URL', ['https://a.example/oauth2/token'], ['a.example', 'https://a?grant_type=x']],
    ['PURSER_KARD_API', ['current', 'legacy'], ['v2', 'Current']],
    ['PURSER_KARD_ORGANIZATION_ID', ['x', 'a_B-9'], ['.', '..', 'a/b', 'two words', 'x'.repeat(201)]],
    ['PURSER_KARD_TOKEN', ['form', 'query'], ['Form', 'body']],
    ['PURSER_KARD_CLIENT_ID', ['x', 'x'.repeat(4096)], ['two words', 'x'.repeat(4097)]],
    ['PURSER_KARD_CLIENT_SECRET', ['x', 'x'.repeat(4096)], ['two words', 'schlüssel']],
    ['PURSER_KARD_WEBHOOK_SECRET', ['x'], ['two words']],
    ['PURSER_REWARDS_PROVIDER', ['builtin'], ['Kard', 'none']],
    ['PURSER_METRICS_PORT', ['0', '9464', '65535'], ['-1', '65536', 'on']],
    ['PURSER_RATE_LIMIT_READS', ['1', '1000000'], ['0', '1000001', '1.5', 'off']],
    ['PURSER_RATE_LIMIT_WRITES', ['1', '1000000'], ['0', '1000001', '-1', 'off']],
    ['PURSER_PROCESSES', ['1', '64', 'auto'], ['0', '-1', '65', '1000', '1.5', 'two', 'AUTO', ' 2 ']],
    ['PURSER_MAX_REQUESTS', ['1', '1000000'], ['0', '1000001', '1e3', 'many']],
    ['PURSER_HOSTS', ['localhost', '10.0.0.7,[::1]'], ['bank.example.com:4000', 'https://bank', 'a,', '*', '::1']],
    ['PURSER_MCP_WRITES', ['on', 'off'], ['yes', 'ON']],
    ['PURSER_CONSOLE_KEYS', ['on', 'off'], ['yes', 'ON']],
    [
      'PURSER_CONSOLE_ORIGIN',
      ['https://bank.example', 'https://bank.example:8443/', 'http://localhost:4000'],
      [
        'bank.example',
        'http://bank.example',
        'https://192.0.2.1',
        'https://[::1]',
        'https://bank.example/x',
        'https://a@bank.example',
      ],
    ],
    [
      'PURSER_ROLES',
      ['a=banking:read', 'a-1=banking:read+risk:write , b=events:read'],
      ['a', 'a=', 'A=banking:read', 'a=all', 'a=banking:read+', '=risk:write'],
    ],
    [
      'PURSER_TRUSTED_PROXIES',
      ['127.0.0.1', '10.0.0.0/8,192.168.0.0/32', '::1, fd00::/128'],
      ['proxy', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '1.2.3', '127.0.0.1,'],
    ],
    ['LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], ['INFO', 'verbose']],
  ]
  for (const [name, taken, refused] of edges) {
    test(`of ${name}`, () => {
      for (const text of taken) expect(faultsOf({ [name]: text }), text).toEqual([])
      for (const text of refused) {
        expect(faultsOf({ [name]: text }), text).toEqual([expect.stringContaining(`${name} must be `)])
      }
    })
  }

  test('of DATABASE_URL', () => {
    const faults = (url: string) => faultsOf({ DATABASE_URL: url, PURSER_ENCRYPTION_KEY: key })
    for (const url of [
      'postgres://localhost/bank',
      'postgresql://u:p@h:5432/bank?sslmode=require',
      'postgres://a:1,b:2/bank',
    ]) {
      expect(faults(url), url).toEqual([])
    }
    for (const url of ['localhost', 'http://localhost/bank', 'postgres:/bank', 'postgres://h:port/bank']) {
      expect(faults(url), url).toEqual(['DATABASE_URL must be a postgres:// URL'])
    }
    expect(faults('postgres://a,b/bank?target_session_attrs=standby')).toEqual([
      'DATABASE_URL must be a postgres:// URL of servers that take writes: target_session_attrs=read-write or none',
    ])
  })
})

describe('in live mode', () => {
  test('a database is required', () => {
    expect(faultsOf({ PURSER_MODE: 'live', PURSER_ACH: 'instant' })).toEqual(['DATABASE_URL is required in live mode'])
    expect(faultsOf(live)).toEqual([])
  })

  test('an API key has 20 characters', () => {
    expect(faultsOf({ ...live, PURSER_API_KEY: 'x'.repeat(19) })).toEqual([
      'PURSER_API_KEY must be 20 to 512 visible ASCII characters',
    ])
    expect(faultsOf({ ...live, PURSER_API_KEY: 'x'.repeat(20) })).toEqual([])
  })

  test('the built-in bank names how payments leave', () => {
    const { PURSER_ACH: _, ...silent } = live
    expect(faultsOf(silent)).toEqual([
      'PURSER_ACH is required in live mode: windows builds ACH files; with instant payments are booked as sent and no file leaves the bank',
    ])
    expect(faultsOf({ ...live, PURSER_ACH: 'later' })).toEqual(['PURSER_ACH must be instant or windows'])
    const unit = {
      PURSER_BANKING_PROVIDER: 'unit',
      PURSER_UNIT_URL: 'https://upstream.example',
      PURSER_UNIT_TOKEN: 'token',
    }
    expect(faultsOf({ ...silent, ...unit })).toEqual([])
  })

  test('a bank whose payments go nowhere is warned of', () => {
    expect(unpaidWarning(parseConfig(live))).toContain('no money leaves')
    expect(unpaidWarning(parseConfig({}))).toBeUndefined()
  })

  test('a bank that writes files names the banks that take them', () => {
    const windows = { ...live, PURSER_ACH: 'windows' }
    const names = ['DESTINATION', 'DESTINATION_NAME', 'ORIGIN_NAME', 'COMPANY_NAME', 'COMPANY_ID', 'OUTGOING']
    const required = ['PURSER_ROUTING_NUMBER', ...names.map((name) => `PURSER_ACH_${name}`)]
    const missing = required.map((name) => `${name} is required with PURSER_ACH=windows in live mode`)
    expect(faultsOf(windows)).toEqual(missing)
    const given = {
      ...windows,
      PURSER_ROUTING_NUMBER: '123456780',
      PURSER_ACH_DESTINATION: '061000146',
      PURSER_ACH_DESTINATION_NAME: 'OPERATOR',
      PURSER_ACH_ORIGIN_NAME: 'SAMPLE BANK',
      PURSER_ACH_COMPANY_NAME: 'SAMPLE',
      PURSER_ACH_COMPANY_ID: '1234567890',
      PURSER_ACH_OUTGOING: '/var/lib/purser/out',
      PURSER_ACH_INCOMING: '/var/lib/purser/in',
    }
    expect(parseConfig({ ...given, PURSER_ACH_WINDOWS: '09:30=12:00,20:00' }).ach).toEqual({
      destination: '061000146',
      destinationName: 'OPERATOR',
      origin: ' 123456780',
      originName: 'SAMPLE BANK',
      companyName: 'SAMPLE',
      companyId: '1234567890',
      windows: [
        { cutoff: '09:30', settles: '12:00' },
        { cutoff: '20:00', settles: null },
      ],
      sameDayLimitCents: 100_000_000,
      acknowledge: 'optional',
      outgoing: '/var/lib/purser/out',
      incoming: '/var/lib/purser/in',
    })
    expect(faultsOf({ ...given, PURSER_ROUTING_NUMBER: '123456789' })).toEqual([
      'PURSER_ROUTING_NUMBER must be a routing number with a right checksum with PURSER_ACH=windows',
    ])
    const ofNoBank = 'must be the routing number of a bank, which begins with 01 to 12, 21 to 32 or 61 to 72'
    expect(faultsOf({ ...given, PURSER_ROUTING_NUMBER: '812345678' })).toEqual([`PURSER_ROUTING_NUMBER ${ofNoBank}`])
    expect(faultsOf({ ...given, PURSER_ACH_DESTINATION: '812345678' })).toEqual([`PURSER_ACH_DESTINATION ${ofNoBank}`])
    for (const text of ['20:00,09:30', '09:30=09:00', '9:30', '24:00', '']) {
      const faults = faultsOf({ ...given, PURSER_ACH_WINDOWS: text })
      expect(faults, text).toHaveLength(text === '' ? 0 : 1)
    }
  })

  test('applications and documents wait for a person, unless automatic is said', () => {
    expect(parseConfig(live).review).toBe('manual')
    expect(parseConfig({ ...live, PURSER_REVIEW: 'manual' }).review).toBe('manual')
    expect(parseConfig({ ...live, PURSER_REVIEW: 'automatic' }).review).toBe('automatic')
    expect(parseConfig({ PURSER_REVIEW: 'manual' }).review).toBe('manual')
    expect(faultsOf({ ...live, PURSER_REVIEW: 'by hand' })).toEqual(['PURSER_REVIEW must be automatic or manual'])
  })

  test('Unit reviews applications itself', () => {
    const unit = {
      ...live,
      PURSER_BANKING_PROVIDER: 'unit',
      PURSER_UNIT_URL: 'https://upstream.example',
      PURSER_UNIT_TOKEN: 'token',
    }
    expect(parseConfig(unit).review).toBe('automatic')
    expect(faultsOf({ ...unit, PURSER_REVIEW: 'manual' })).toEqual([
      'PURSER_REVIEW must be automatic with PURSER_BANKING_PROVIDER=unit: Unit reviews applications itself',
    ])
  })

  test('and with any database of its own an encryption key is required', () => {
    for (const mode of ['live', 'sandbox']) {
      const faults = faultsOf({ PURSER_MODE: mode, PURSER_ACH: 'instant', DATABASE_URL: live.DATABASE_URL })
      expect(faults).toEqual([expect.stringContaining('PURSER_ENCRYPTION_KEY is required with DATABASE_URL')])
    }
  })
})

describe('with Unit behind the banking area', () => {
  const unit = {
    PURSER_BANKING_PROVIDER: 'unit',
    PURSER_UNIT_URL: 'http://upstream.example',
    PURSER_UNIT_TOKEN: 'token',
  }

  test('its address and token are required, both reported at once', () => {
    expect(faultsOf(unit)).toEqual([])
    expect(faultsOf({ PURSER_BANKING_PROVIDER: 'unit' })).toEqual([
      'PURSER_UNIT_URL is required with PURSER_BANKING_PROVIDER=unit',
      'PURSER_UNIT_TOKEN is required with PURSER_BANKING_PROVIDER=unit',
    ])
  })

  test('new accounts are checking accounts, and their list is not sorted', () => {
    expect(parseConfig(unit).unit).toMatchObject({ depositProduct: 'checking', sortsAccounts: false })
  })

  test('live mode takes no plain HTTP', () => {
    expect(faultsOf({ ...live, ...unit })).toEqual(['PURSER_UNIT_URL must be an https:// URL'])
    expect(faultsOf({ ...live, ...unit, PURSER_UNIT_URL: 'https://upstream.example' })).toEqual([])
  })
})

describe('with Kard behind the offers', () => {
  const kard = {
    PURSER_REWARDS_PROVIDER: 'kard',
    PURSER_KARD_URL: 'http://rewards.example',
    PURSER_KARD_TOKEN_URL: 'http://tokens.example',
    PURSER_KARD_CLIENT_ID: 'id',
    PURSER_KARD_CLIENT_SECRET: 'secret',
    PURSER_KARD_ORGANIZATION_ID: 'organization-123',
  }

  test('its addresses and credentials are required, all reported at once', () => {
    expect(faultsOf(kard)).toEqual([])
    expect(faultsOf({ PURSER_REWARDS_PROVIDER: 'kard' })).toEqual([
      ...['URL', 'TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'].map(
        (name) => `PURSER_KARD_${name} is required with PURSER_REWARDS_PROVIDER=kard`,
      ),
      'PURSER_KARD_ORGANIZATION_ID is required with PURSER_KARD_API=current, which is the default',
    ])
  })

  test('the legacy API has no organisation', () => {
    const legacy = { ...kard, PURSER_KARD_API: 'legacy' }
    expect(parseConfig(legacy).kard?.organizationId).toBeUndefined()
    expect(faultsOf({ ...legacy, PURSER_KARD_ORGANIZATION_ID: '' })).toEqual([])
  })

  test('an address without a scheme and one with a query have faults of their own', () => {
    const query = 'https://tokens.example/oauth2/token?grant_type=client_credentials'
    expect(faultsOf({ ...kard, PURSER_KARD_URL: 'rewards.example', PURSER_KARD_TOKEN_URL: query })).toEqual([
      'PURSER_KARD_URL must be an https:// URL, or in sandbox mode an http:// one',
      'PURSER_KARD_TOKEN_URL must be a URL without user, password, query and fragment',
    ])
  })

  test('live mode takes no plain HTTP', () => {
    expect(faultsOf({ ...live, ...kard })).toEqual([
      'PURSER_KARD_URL must be an https:// URL',
      'PURSER_KARD_TOKEN_URL must be an https:// URL',
    ])
  })
})

describe('secrets from files', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'purser-secrets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function file(contents: string | Buffer): string {
    const path = join(folder, 'secret')
    writeFileSync(path, contents)
    return path
  }

  const secrets = {
    DATABASE_URL: live.DATABASE_URL,
    PURSER_API_KEY: 'a-key-of-20-letters!',
    PURSER_ENCRYPTION_KEY: key,
    PURSER_ENCRYPTION_KEY_NEW: Buffer.alloc(32, 2).toString('base64'),
    PURSER_UNIT_TOKEN: 'token-of-the-upstream',
    PURSER_UNIT_WEBHOOK_SECRET: 'secret-of-the-webhooks',
    PURSER_KARD_CLIENT_ID: 'id-of-the-client',
    PURSER_KARD_CLIENT_SECRET: 'secret-of-the-client',
    PURSER_KARD_WEBHOOK_SECRET: 'secret-of-the-notifications',
    PURSER_SCREENING_SECRET: decisionSecret,
    PURSER_DECISION_SECRET: decisionSecret,
    PURSER_OIDC_CLIENT_SECRET: 'secret-of-the-provider',
    PURSER_CLOSING_KEY: generateKeyPairSync('ed25519')
      .privateKey.export({ format: 'der', type: 'pkcs8' })
      .toString('base64'),
  }
  const others = {
    PURSER_BANKING_PROVIDER: 'unit',
    PURSER_UNIT_URL: 'https://upstream.example',
    PURSER_REWARDS_PROVIDER: 'kard',
    PURSER_KARD_URL: 'https://rewards.example',
    PURSER_KARD_TOKEN_URL: 'https://tokens.example',
    PURSER_KARD_ORGANIZATION_ID: 'organization-123',
  }
  const hooks = {
    PURSER_DECISION_URL: 'https://app.example/decisions',
    PURSER_SCREENING_URL: 'https://screening.example/',
  }

  test.each([['connectors', others] as const, ['hooks', hooks] as const])(
    'are the same as in variables: %s',
    (_of, given) => {
      const files = Object.entries(secrets).map(([name, secret]) => {
        const path = join(folder, name)
        writeFileSync(path, `${secret}\n`)
        return [`${name}_FILE`, path]
      })
      const read = parseConfig({ ...given, ...Object.fromEntries(files) })
      expect(read).toEqual(parseConfig({ ...given, ...secrets }))
    },
  )

  test('are settings that doctor knows, for secrets alone', () => {
    const names = [...settingNames()].filter((name) => name.endsWith('_FILE'))
    // A standby has no use with the connectors of the other variables; cells.test.ts reads its file.
    expect(names.toSorted()).toEqual(
      [...Object.keys(secrets), 'PURSER_READ_URL'].map((name) => `${name}_FILE`).toSorted(),
    )
  })

  test('lose one newline at the end, of Unix or of Windows, and no other character', () => {
    const apiKey = (contents: string) => parseConfig({ PURSER_API_KEY_FILE: file(contents) }).apiKey
    expect(['12345678', '12345678\n', '12345678\r\n'].map(apiKey)).toEqual(Array(3).fill('12345678'))
    for (const contents of ['12345678\n\n', ' 12345678', '12345678 \n', '\ufeff12345678']) {
      expect(faultsOf({ PURSER_API_KEY_FILE: file(contents) })).toEqual([
        'the contents of PURSER_API_KEY_FILE must be 8 to 512 visible ASCII characters',
      ])
    }
  })

  test('are refused where the variable is set, too; an empty one counts as absent', () => {
    const path = file('12345678')
    expect(faultsOf({ PURSER_API_KEY: '12345678', PURSER_API_KEY_FILE: path })).toEqual([
      'PURSER_API_KEY_FILE and PURSER_API_KEY are both set: keep one of them',
    ])
    expect(parseConfig({ PURSER_API_KEY: '', PURSER_API_KEY_FILE: path }).apiKey).toBe('12345678')
    expect(parseConfig({ PURSER_API_KEY: '12345679', PURSER_API_KEY_FILE: '' }).apiKey).toBe('12345679')
  })

  test('have a fault of their own where a file cannot be used, without path and contents, and no second one', () => {
    const faults = (path: string) => faultsOf({ DATABASE_URL_FILE: path, PURSER_ENCRYPTION_KEY_FILE: path })
    for (const [path, fault] of [
      [join(folder, 'none'), 'names a file that does not exist'],
      ['a-secret-by-mistake', 'names a file that does not exist'],
      [join(file('x'), 'below'), 'cannot be read (ENOTDIR)'],
      [folder, 'names a folder, not a file'],
      ['/dev/null', 'names no regular file'],
      ['a\0b', 'cannot be read (ERR_INVALID_ARG_VALUE)'],
    ]) {
      expect(faults(path ?? '')).toEqual([`DATABASE_URL_FILE ${fault}`, `PURSER_ENCRYPTION_KEY_FILE ${fault}`])
    }
    for (const [contents, fault] of [
      ['', 'names an empty file'],
      ['\n', 'names an empty file'],
      ['x'.repeat(65_537), 'names a file of more than 64 KiB'],
      [Buffer.from([0x73, 0xff]), 'names a file that is not UTF-8 text'],
    ] as const) {
      expect(faults(file(contents))).toEqual([`DATABASE_URL_FILE ${fault}`, `PURSER_ENCRYPTION_KEY_FILE ${fault}`])
    }
    expect(faultsOf({ ...live, DATABASE_URL: '', DATABASE_URL_FILE: file('mysql://u:secret@h/x') })).toEqual([
      'the contents of DATABASE_URL_FILE must be a postgres:// URL',
    ])
  })

  test.skipIf(process.getuid?.() === 0)('have a fault where the user may not read a file', () => {
    const path = file('12345678')
    chmodSync(path, 0)
    expect(faultsOf({ PURSER_API_KEY_FILE: path })).toEqual(['PURSER_API_KEY_FILE cannot be read (EACCES)'])
    chmodSync(path, 0o600)
  })
})
