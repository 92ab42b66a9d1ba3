import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { durationMs } from './base/calendar.ts'
import { messageOf } from './base/message-of.ts'
import { hasRoutingChecksum } from './base/routing-number.ts'
import { serversOf } from './database/database.ts'
import type { LogLevel } from './http/log.ts'
import type { ConnectorSettings, KardConfig, UnitConfig } from './providers/connectors.ts'
import { defaultWindows, type Window } from './rails/ach/calendar.ts'
import { SAME_DAY_LIMIT } from './rails/ach/read-file.ts'
import type { AchMode } from './rails/ach/settings.ts'
import type { Keep } from './retention/keep.ts'
import { readSecret } from './secrets/read-secret.ts'
import { retryDelaysMs } from './webhooks/delivery/retry.ts'

export interface Config extends ConnectorSettings {
  port: number
  host: string
  /** Absent where the service runs its embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** How long a start waits for a database that cannot be reached. */
  databaseWaitMs: number
  dataDir: string
  apiKey: string | undefined
  mode: 'sandbox' | 'live'
  demo: boolean
  routingNumber: string
  overdraftCents: number
  /** How payments to other banks leave. */
  ach: AchMode
  review: 'automatic' | 'manual'
  encryptionKey: Buffer | undefined
  /** The key that a rotation changes to, until it is finished. */
  newEncryptionKey: Buffer | undefined
  webhookTimeoutMs: number
  /** The pause after each failed attempt. */
  webhookRetriesMs: number[]
  logLevel: LogLevel
  /** Requests per second of one key, in live mode. */
  rates: { reads: number; writes: number }
  maxRequests: number
  trustedProxies: string[]
  /** Host names for which `/mcp` answers, beside those of a loopback address that the service listens on. */
  hosts: string[]
  /** Whether agents may call the operations that change something. */
  mcpWrites: boolean
  /** How long rows are kept. */
  keep: Keep
  /** Absent where no metrics are served. */
  metricsPort: number | undefined
}

/** The faults of an environment, one line each. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

type Environment = Record<string, string | undefined>

/** The settings that may also be read from a file, which a variable with the ending `_FILE` names. */
const secretSettings = new Set([
  'DATABASE_URL',
  'PURSER_API_KEY',
  'PURSER_ENCRYPTION_KEY',
  'PURSER_ENCRYPTION_KEY_NEW',
  'PURSER_UNIT_TOKEN',
  'PURSER_UNIT_WEBHOOK_SECRET',
  'PURSER_KARD_CLIENT_ID',
  'PURSER_KARD_CLIENT_SECRET',
  'PURSER_KARD_WEBHOOK_SECRET',
])

/** Reads the whole configuration and reports all faults at once. An empty variable counts as absent. */
export function parseConfig(environment: Environment): Config {
  const reader = openReader(environment)
  const mode = reader.read('PURSER_MODE', oneOf('sandbox', 'live'), 'sandbox')
  const server = serverConfig(reader, mode)
  const bank = bankConfig(reader)
  const config: Config = {
    mode,
    ...server,
    ...bank,
    ach: achConfig(reader, mode, { ...server, ...bank }),
    ...webhookConfig(reader),
    ...limitConfig(reader),
    keep: keepConfig(reader),
    ...connectorConfig(reader, mode),
  }
  if (mode === 'live' && !reader.has('DATABASE_URL')) reader.fault('DATABASE_URL is required in live mode')
  if (mode === 'live' && !config.unit && !reader.has('PURSER_ACH')) {
    reader.fault(
      'PURSER_ACH is required in live mode: with instant, payments are booked as sent and no file leaves the bank',
    )
  }
  if (mode === 'live' && config.review === 'manual') {
    reader.fault('PURSER_REVIEW must be automatic in live mode: only sandbox mode has the operations of a reviewer')
  }
  if (reader.has('DATABASE_URL') && !reader.has('PURSER_ENCRYPTION_KEY')) {
    reader.fault('PURSER_ENCRYPTION_KEY is required with DATABASE_URL: make one with `openssl rand -base64 32`')
  }
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return config
}

/** The names of all settings, those of connectors included, and those of the command line. */
export function settingNames(): Set<string> {
  const names = new Set(['PURSER_URL', 'PURSER_AGENT_KEY'])
  const connected: Environment = { PURSER_BANKING_PROVIDER: 'unit', PURSER_REWARDS_PROVIDER: 'kard' }
  const recording = new Proxy(connected, {
    get: (environment, name) => {
      names.add(String(name))
      return environment[String(name)]
    },
  })
  try {
    parseConfig(recording)
  } catch (error) {
    // Settings that are required are missing here. Each was read all the same.
    if (!(error instanceof ConfigError)) throw error
  }
  return names
}

/** A kind of value: how it is read from a text, and how a fault describes it. */
interface Kind<T> {
  parse(text: string): T | undefined
  expected: string | ((text: string) => string)
}

interface Reader {
  faults: string[]
  fault(line: string): void
  has(name: string): boolean
  read<T>(name: string, kind: Kind<T>, fallback: T): T
  /** A variable that has no default. */
  optional<T>(name: string, kind: Kind<T>): T | undefined
}

/** The text of a setting, and how a fault names it. */
interface Given {
  text: string
  named: string
}

function openReader(environment: Environment): Reader {
  const faults: string[] = []
  const fileOf = (name: string) => (secretSettings.has(name) ? environment[`${name}_FILE`] : undefined)

  function given(name: string): Given | undefined {
    const [text, path] = [environment[name], fileOf(name)]
    if (!path) return text ? { text, named: name } : undefined
    const read = text ? { fault: `and ${name} are both set: keep one of them` } : readSecret(path)
    if ('text' in read) return { text: read.text, named: `the contents of ${name}_FILE` }
    faults.push(`${name}_FILE ${read.fault}`)
    return undefined
  }

  function optional<T>(name: string, { parse, expected }: Kind<T>): T | undefined {
    const found = given(name)
    if (!found) return undefined
    const { text, named } = found
    const value = parse(text)
    if (value === undefined) faults.push(`${named} must be ${typeof expected === 'string' ? expected : expected(text)}`)
    return value
  }
  return {
    faults,
    fault: (line) => void faults.push(line),
    has: (name) => Boolean(environment[name] || fileOf(name)),
    read: (name, kind, fallback) => optional(name, kind) ?? fallback,
    optional,
  }
}

function serverConfig({ read, optional }: Reader, mode: Config['mode']) {
  return {
    port: read('PORT', port, 4000),
    host: read('HOST', text('a host name or address'), '127.0.0.1'),
    databaseUrl: optional('DATABASE_URL', databaseUrl),
    databaseWaitMs: read('PURSER_DATABASE_WAIT', databaseWait, 60_000),
    dataDir: resolve(read('PURSER_DATA_DIR', text('a folder'), './data')),
    apiKey: optional('PURSER_API_KEY', visibleAscii(mode === 'live' ? 20 : 8, 512)),
    encryptionKey: optional('PURSER_ENCRYPTION_KEY', key32),
    newEncryptionKey: optional('PURSER_ENCRYPTION_KEY_NEW', key32),
    logLevel: read<LogLevel>('LOG_LEVEL', logLevel, 'info'),
    metricsPort: optional('PURSER_METRICS_PORT', port),
    trustedProxies: read('PURSER_TRUSTED_PROXIES', networks, []),
    hosts: read('PURSER_HOSTS', hostNames, []),
    mcpWrites: read('PURSER_MCP_WRITES', oneOf('on', 'off'), mode === 'live' ? 'off' : 'on') === 'on',
  }
}

function bankConfig({ read }: Reader) {
  return {
    demo: read('PURSER_DEMO', oneOf('on', 'off'), 'on') === 'on',
    routingNumber: read('PURSER_ROUTING_NUMBER', matching(/^\d{9}$/, '9 digits'), '812345678'),
    overdraftCents: read('PURSER_OVERDRAFT', cents, 0),
    review: read('PURSER_REVIEW', oneOf('automatic', 'manual'), 'automatic'),
    rewardPayoutDelayMs: read('PURSER_REWARD_PAYOUT_DELAY', duration, 0),
  }
}

/** The settings of ACH files. A sandbox has defaults; in live mode the other bank must be named. */
function achConfig(
  reader: Reader,
  mode: Config['mode'],
  { routingNumber, dataDir }: Pick<Config, 'routingNumber' | 'dataDir'>,
): AchMode {
  const { read } = reader
  const settings = {
    destination: read('PURSER_ACH_DESTINATION', routing, '061000146'),
    destinationName: read('PURSER_ACH_DESTINATION_NAME', plain(23), 'SANDBOX ACH OPERATOR'),
    origin: read('PURSER_ACH_ORIGIN', achOrigin, routingNumber).padStart(10),
    originName: read('PURSER_ACH_ORIGIN_NAME', plain(23), 'PURSER'),
    companyName: read('PURSER_ACH_COMPANY_NAME', plain(16), 'PURSER'),
    companyId: read('PURSER_ACH_COMPANY_ID', plain(10), routingNumber),
    windows: read('PURSER_ACH_WINDOWS', achWindows, defaultWindows),
    sameDayLimitCents: read('PURSER_ACH_SAME_DAY_LIMIT', cents, SAME_DAY_LIMIT),
    outgoing: resolve(read('PURSER_ACH_OUTGOING', text('a folder'), join(dataDir, 'ach', 'out'))),
    incoming: resolve(read('PURSER_ACH_INCOMING', text('a folder'), join(dataDir, 'ach', 'in'))),
  }
  if (read('PURSER_ACH', oneOf('instant', 'windows'), 'instant') === 'instant') return 'instant'
  if (!hasRoutingChecksum(routingNumber)) {
    reader.fault('PURSER_ROUTING_NUMBER must be a routing number with a right checksum with PURSER_ACH=windows')
  }
  if (mode === 'live') {
    const names = ['DESTINATION', 'DESTINATION_NAME', 'ORIGIN_NAME', 'COMPANY_NAME', 'COMPANY_ID', 'OUTGOING']
    requireAll(
      reader,
      names.map((name) => `PURSER_ACH_${name}`),
      'PURSER_ACH=windows in live mode',
    )
  }
  return settings
}

function webhookConfig({ read }: Reader) {
  return {
    webhookTimeoutMs: read('PURSER_WEBHOOK_TIMEOUT', webhookTimeout, 15_000),
    webhookRetriesMs: read('PURSER_WEBHOOK_RETRIES', durations, retryDelaysMs),
  }
}

function keepConfig({ read }: Reader): Keep {
  return {
    answersMs: read('PURSER_KEEP_ANSWERS', keptFor('P1D'), 90 * DAY_MS),
    keylessAnswersMs: read('PURSER_KEEP_KEYLESS_ANSWERS', keptFor('PT10M'), 3_600_000),
    deliveriesMs: read('PURSER_KEEP_DELIVERIES', keptFor('P1D'), 30 * DAY_MS),
    denialsMs: read('PURSER_KEEP_DENIALS', keptFor('P30D'), 400 * DAY_MS),
    eventsMs: read('PURSER_KEEP_EVENTS', keptFor('P7D'), FOR_EVER),
    expiredMs: read('PURSER_KEEP_EXPIRED', keptFor('PT1H'), 30 * DAY_MS),
    inboundMs: read('PURSER_KEEP_INBOUND', keptFor('P7D'), 90 * DAY_MS),
  }
}

function limitConfig({ read }: Reader) {
  return {
    rates: {
      reads: read('PURSER_RATE_LIMIT_READS', rate, 100),
      writes: read('PURSER_RATE_LIMIT_WRITES', rate, 25),
    },
    maxRequests: read('PURSER_MAX_REQUESTS', wholeNumber(1, 1_000_000, 'a number of requests, 1 to 1000000'), 10_000),
  }
}

function connectorConfig(reader: Reader, mode: Config['mode']): Omit<ConnectorSettings, 'rewardPayoutDelayMs'> {
  const { read } = reader
  return {
    unit: unitConfig(reader, mode),
    kard: kardConfig(reader, mode),
    upstreamTimeouts: {
      callMs: read('PURSER_UPSTREAM_CALL_MS', milliseconds, 10_000),
      totalMs: read('PURSER_UPSTREAM_TOTAL_MS', milliseconds, 30_000),
      uploadMs: read('PURSER_UPSTREAM_UPLOAD_MS', milliseconds, 120_000),
    },
  }
}

function unitConfig(reader: Reader, mode: Config['mode']): UnitConfig | undefined {
  const { read, optional } = reader
  const unit = {
    url: read('PURSER_UNIT_URL', upstreamUrl(mode), ''),
    token: read('PURSER_UNIT_TOKEN', secret, ''),
    webhookSecret: optional('PURSER_UNIT_WEBHOOK_SECRET', secret),
    requestsPerMinute: read('PURSER_UNIT_REQUESTS_PER_MINUTE', wholeNumber(0, 1_000_000, '0 to 1000000'), 900),
    paymentMs: read('PURSER_UNIT_PAYMENT_MS', milliseconds, 60_000),
    applicationMs: read('PURSER_UNIT_APPLICATION_MS', milliseconds, 120_000),
    depositProduct: read('PURSER_UNIT_DEPOSIT_PRODUCT', productName, 'checking'),
    sortsAccounts: read('PURSER_UNIT_ACCOUNT_SORT', oneOf('on', 'off'), 'off') === 'on',
    fundingAccountId: optional('PURSER_UNIT_FUNDING_ACCOUNT_ID', matching(/^[1-9]\d{0,18}$/, 'an account id: digits')),
  }
  if (read('PURSER_BANKING_PROVIDER', oneOf('builtin', 'unit'), 'builtin') === 'builtin') return undefined
  requireAll(reader, ['PURSER_UNIT_URL', 'PURSER_UNIT_TOKEN'], 'PURSER_BANKING_PROVIDER=unit')
  return unit
}

function kardConfig(reader: Reader, mode: Config['mode']): KardConfig | undefined {
  const { read, optional } = reader
  const api = read('PURSER_KARD_API', oneOf('current', 'legacy'), 'current')
  const organizationId = optional('PURSER_KARD_ORGANIZATION_ID', matching(/^[\w-]{1,200}$/, 'letters, digits, - and _'))
  const kard = {
    organizationId: api === 'current' ? organizationId : undefined,
    url: read('PURSER_KARD_URL', upstreamUrl(mode), ''),
    tokenUrl: read('PURSER_KARD_TOKEN_URL', upstreamUrl(mode), ''),
    token: read('PURSER_KARD_TOKEN', oneOf('form', 'query'), 'form'),
    clientId: read('PURSER_KARD_CLIENT_ID', secret, ''),
    clientSecret: read('PURSER_KARD_CLIENT_SECRET', secret, ''),
    webhookSecret: optional('PURSER_KARD_WEBHOOK_SECRET', secret),
  }
  if (read('PURSER_REWARDS_PROVIDER', oneOf('builtin', 'kard'), 'builtin') === 'builtin') return undefined
  const needed = ['URL', 'TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => `PURSER_KARD_${name}`)
  requireAll(reader, needed, 'PURSER_REWARDS_PROVIDER=kard')
  if (api === 'current')
    requireAll(reader, ['PURSER_KARD_ORGANIZATION_ID'], 'PURSER_KARD_API=current, which is the default')
  return kard
}

function requireAll({ has, fault }: Reader, names: string[], by: string): void {
  for (const name of names) if (!has(name)) fault(`${name} is required with ${by}`)
}

function text(expected: string): Kind<string> {
  return { parse: (given) => given, expected }
}

function matching(pattern: RegExp, expected: string): Kind<string> {
  return { parse: (given) => (pattern.test(given) ? given : undefined), expected }
}

function oneOf<T extends string>(...words: T[]): Kind<T> {
  const expected = words.length <= 2 ? words.join(' or ') : `one of ${words.join(', ')}`
  return { parse: (given) => words.find((word) => word === given), expected }
}

function wholeNumber(min: number, max: number, expected: string): Kind<number> {
  return { parse: (given) => (/^\d+$/.test(given) ? within(Number(given), min, max) : undefined), expected }
}

function visibleAscii(min: number, max: number, expected = `${min} to ${max} visible ASCII characters`): Kind<string> {
  return matching(new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`), expected)
}

/** A text that an ACH file can carry. */
function plain(max: number): Kind<string> {
  return matching(new RegExp(`^[!-~]([ -~]{0,${max - 2}}[!-~])?$`), `up to ${max} ASCII characters`)
}

const routing: Kind<string> = {
  parse: (given) => (/^\d{9}$/.test(given) && hasRoutingChecksum(given) ? given : undefined),
  expected: 'a routing number: 9 digits with a right checksum',
}
const achOrigin = matching(/^(\d{9}|[A-Za-z0-9 ]{10})$/, '9 digits, or 10 letters and digits')

/** Cut-offs in rising order, each with the time at which same-day entries settle: 10:00=13:00,22:15. */
const achWindows: Kind<readonly Window[]> = {
  parse(given) {
    const list = given.split(',').map((part) => {
      const [, cutoff, , settles = null] =
        /^((?:[01]\d|2[0-3]):[0-5]\d)(=((?:[01]\d|2[0-3]):[0-5]\d))?$/.exec(part.trim()) ?? []
      return cutoff === undefined || (settles !== null && settles <= cutoff) ? undefined : { cutoff, settles }
    })
    const isRising = list.every((window, at) => window && (at === 0 || window.cutoff > (list[at - 1]?.cutoff ?? '')))
    return isRising && list.length <= 12 ? (list as Window[]) : undefined
  },
  expected: 'up to 12 rising cut-offs in Eastern time, each with the time of same-day settlement: 10:00=13:00,22:15',
}

const port = wholeNumber(0, 65_535, 'a port number from 0 to 65535')
const cents = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'whole cents, 0 or more')
const rate = wholeNumber(1, 1_000_000, 'requests a second, 1 to 1000000')
const milliseconds = wholeNumber(1, 600_000, 'milliseconds from 1 to 600000')
const secret = visibleAscii(1, 4096, 'visible ASCII characters')
const productName = matching(/^[!-~]([ -~]{0,253}[!-~])?$/, 'the name of a deposit product: up to 255 ASCII characters')
const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')

const duration: Kind<number> = {
  parse: durationMs,
  expected: 'an ISO 8601 duration of days and less, such as P7D or PT0S',
}

const DAY_MS = 86_400_000
const FOR_EVER = Number.POSITIVE_INFINITY

/** A time of retention: a duration from a least one on, or for ever. */
function keptFor(least: string): Kind<number> {
  return {
    parse: (given) =>
      given === 'forever' ? FOR_EVER : within(durationMs(given), durationMs(least) ?? 0, Number.MAX_SAFE_INTEGER),
    expected: `forever, or an ISO 8601 duration of days and less from ${least} on`,
  }
}

const webhookTimeout: Kind<number> = {
  parse: (given) => within(durationMs(given), 1_000, 60_000),
  expected: 'an ISO 8601 duration from PT1S to PT60S',
}

const databaseWait: Kind<number> = {
  parse: (given) => within(durationMs(given), 0, 3_600_000),
  expected: 'an ISO 8601 duration from PT0S to PT1H',
}

const durations: Kind<number[]> = {
  parse(given) {
    const list = given.split(',').map((part) => durationMs(part.trim()))
    return list.length <= 20 && list.every((ms) => ms !== undefined) ? list : undefined
  },
  expected: 'up to 20 ISO 8601 durations of days and less, separated by commas, such as PT5S,PT5M,PT2H',
}

const networks: Kind<string[]> = {
  parse(given) {
    const list = given.split(',').map((part) => part.trim())
    return list.every(isNetwork) ? list : undefined
  },
  expected: 'addresses or networks like 10.0.0.0/8, with commas',
}

const hostNames: Kind<string[]> = {
  parse(given) {
    const list = given.split(',').map((part) => part.trim().toLowerCase())
    return list.every((name) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})$/.test(name)) ? list : undefined
  },
  expected: 'host names without a port, with commas, such as bank.example.com',
}

const databaseUrl: Kind<string> = {
  parse: (given) => (databaseUrlFault(given) === undefined ? given : undefined),
  expected: (given) => databaseUrlFault(given) ?? '',
}

const key32: Kind<Buffer> = {
  parse(given) {
    const bytes = Buffer.from(given, 'base64')
    return bytes.length === 32 && /^[A-Za-z0-9+/]{43}=$/.test(given) ? bytes : undefined
  },
  expected: '32 bytes in Base64',
}

/** The base URL of an upstream, without a trailing slash. It receives secrets, so that live mode refuses plain HTTP. */
function upstreamUrl(mode: Config['mode']): Kind<string> {
  const schemes = mode === 'live' ? ['https:'] : ['https:', 'http:']
  const hasScheme = (given: string) => URL.canParse(given) && schemes.includes(new URL(given).protocol)
  return {
    parse(given) {
      if (!hasScheme(given)) return undefined
      const { username, password, search, hash, href } = new URL(given)
      return `${username}${password}${search}${hash}` === '' ? href.replace(/\/+$/, '') : undefined
    },
    expected(given) {
      if (hasScheme(given)) return 'a URL without user, password, query and fragment'
      return mode === 'live' ? 'an https:// URL' : 'an https:// URL, or in sandbox mode an http:// one'
    },
  }
}

function isNetwork(given: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(given) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128)
}

/** The fault of a database URL as the end of "must be …"; undefined where there is none. */
function databaseUrlFault(given: string): string | undefined {
  try {
    serversOf(given)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}
