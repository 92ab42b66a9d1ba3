import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { durationMs } from './base/calendar.ts'
import { messageOf } from './base/message-of.ts'
import { serversOf } from './database/database.ts'
import type { LogLevel } from './http/log.ts'
import type { ConnectorSettings, KardConfig, UnitConfig } from './providers/connectors.ts'
import { retryDelaysMs } from './webhooks/delivery/retry.ts'

export interface Config extends ConnectorSettings {
  port: number
  host: string
  /** Absent: the service runs a PostgreSQL of its own. */
  databaseUrl: string | undefined
  dataDir: string
  apiKey: string | undefined
  mode: 'sandbox' | 'live'
  demo: boolean
  routingNumber: string
  overdraftCents: number
  review: 'automatic' | 'manual'
  encryptionKey: Buffer | undefined
  webhookTimeoutMs: number
  /** How long to wait after each attempt that failed. */
  webhookRetriesMs: number[]
  logLevel: LogLevel
  /** Requests a second of one key, in live mode. */
  rates: { reads: number; writes: number }
  maxRequests: number
  trustedProxies: string[]
  /** Absent: nothing is measured. */
  metricsPort: number | undefined
}

/** Everything that is wrong with the environment, one line each. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

type Environment = Record<string, string | undefined>

/** Reads the whole configuration and reports all faults at once. An empty variable counts as absent. */
export function parseConfig(environment: Environment): Config {
  const faults: string[] = []

  function read<T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T {
    const text = environment[name]
    if (text === undefined || text === '') return fallback
    const value = parse(text)
    if (value === undefined) faults.push(`${name} must be ${expected}`)
    return value ?? fallback
  }

  const mode = read<'sandbox' | 'live'>('PURSER_MODE', 'sandbox', oneOf('sandbox', 'live'), 'sandbox or live')
  const shortestKey = mode === 'live' ? 20 : 8
  const config: Config = {
    port: read('PORT', 4000, wholeNumber(0, 65_535), 'a port number from 0 to 65535'),
    host: read('HOST', '127.0.0.1', (text) => text, 'a host name or address'),
    databaseUrl: read<string | undefined>(
      'DATABASE_URL',
      undefined,
      (text) => (databaseUrlFault(text) === undefined ? text : undefined),
      databaseUrlFault(environment.DATABASE_URL ?? '') ?? '',
    ),
    dataDir: resolve(read('PURSER_DATA_DIR', './data', (text) => text, 'a folder')),
    apiKey: read<string | undefined>(
      'PURSER_API_KEY',
      undefined,
      (text) => (/^[\x21-\x7e]*$/.test(text) && text.length >= shortestKey && text.length <= 512 ? text : undefined),
      `${shortestKey} to 512 visible ASCII characters`,
    ),
    mode,
    demo: read('PURSER_DEMO', 'on', oneOf('on', 'off'), 'on or off') === 'on',
    routingNumber: read(
      'PURSER_ROUTING_NUMBER',
      '812345678',
      (text) => (/^\d{9}$/.test(text) ? text : undefined),
      '9 digits',
    ),
    overdraftCents: read('PURSER_OVERDRAFT', 0, wholeNumber(0, Number.MAX_SAFE_INTEGER), 'whole cents, 0 or more'),
    review: read<'automatic' | 'manual'>(
      'PURSER_REVIEW',
      'automatic',
      oneOf('automatic', 'manual'),
      'automatic or manual',
    ),
    rewardPayoutDelayMs: read(
      'PURSER_REWARD_PAYOUT_DELAY',
      0,
      durationMs,
      'an ISO 8601 duration of days and less, such as P7D or PT0S',
    ),
    encryptionKey: read<Buffer | undefined>('PURSER_ENCRYPTION_KEY', undefined, key32, '32 bytes in Base64'),
    webhookTimeoutMs: read(
      'PURSER_WEBHOOK_TIMEOUT',
      15_000,
      (text) => within(durationMs(text), 1_000, 60_000),
      'an ISO 8601 duration from PT1S to PT60S',
    ),
    webhookRetriesMs: read(
      'PURSER_WEBHOOK_RETRIES',
      retryDelaysMs,
      durationsMs,
      'up to 20 ISO 8601 durations of days and less, separated by commas, such as PT5S,PT5M,PT2H',
    ),
    logLevel: read<LogLevel>(
      'LOG_LEVEL',
      'info',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'one of fatal, error, warn, info, debug, trace, silent',
    ),
    unit: unitConfig(),
    kard: kardConfig(),
    upstreamTimeouts: {
      callMs: read('PURSER_UPSTREAM_CALL_MS', 10_000, milliseconds, 'milliseconds from 1 to 600000'),
      totalMs: read('PURSER_UPSTREAM_TOTAL_MS', 30_000, milliseconds, 'milliseconds from 1 to 600000'),
      uploadMs: read('PURSER_UPSTREAM_UPLOAD_MS', 120_000, milliseconds, 'milliseconds from 1 to 600000'),
    },
    rates: {
      reads: read('PURSER_RATE_LIMIT_READS', 100, wholeNumber(1, 1_000_000), 'requests a second, 1 to 1000000'),
      writes: read('PURSER_RATE_LIMIT_WRITES', 25, wholeNumber(1, 1_000_000), 'requests a second, 1 to 1000000'),
    },
    maxRequests: read('PURSER_MAX_REQUESTS', 10_000, wholeNumber(1, 1_000_000), 'a number of requests, 1 to 1000000'),
    metricsPort: read<number | undefined>(
      'PURSER_METRICS_PORT',
      undefined,
      wholeNumber(0, 65_535),
      'a port number from 0 to 65535',
    ),
    trustedProxies: read('PURSER_TRUSTED_PROXIES', [], networks, 'addresses or networks like 10.0.0.0/8, with commas'),
  }
  function text(name: string, parse: (text: string) => string | undefined, expected: string): string | undefined {
    return read<string | undefined>(name, undefined, parse, expected)
  }
  function unitConfig(): UnitConfig | undefined {
    const unit = {
      url: text('PURSER_UNIT_URL', upstreamUrl(mode), upstreamUrlForm(mode)),
      token: text('PURSER_UNIT_TOKEN', visibleAscii, 'visible ASCII characters'),
      webhookSecret: text('PURSER_UNIT_WEBHOOK_SECRET', visibleAscii, 'visible ASCII characters'),
      requestsPerMinute: read('PURSER_UNIT_REQUESTS_PER_MINUTE', 900, wholeNumber(0, 1_000_000), '0 to 1000000'),
      fundingAccountId: text('PURSER_UNIT_FUNDING_ACCOUNT_ID', digits, 'an account id: digits'),
    }
    const provider = read('PURSER_BANKING_PROVIDER', 'builtin', oneOf('builtin', 'unit'), 'builtin or unit')
    if (provider === 'builtin') return undefined
    for (const name of ['PURSER_UNIT_URL', 'PURSER_UNIT_TOKEN'].filter((needed) => !environment[needed])) {
      faults.push(`${name} is required with PURSER_BANKING_PROVIDER=unit`)
    }
    return { ...unit, url: unit.url ?? '', token: unit.token ?? '' }
  }
  function kardConfig(): KardConfig | undefined {
    const kard = {
      url: text('PURSER_KARD_URL', upstreamUrl(mode), upstreamUrlForm(mode)),
      tokenUrl: text('PURSER_KARD_TOKEN_URL', upstreamUrl(mode), upstreamUrlForm(mode)),
      clientId: text('PURSER_KARD_CLIENT_ID', visibleAscii, 'visible ASCII characters'),
      clientSecret: text('PURSER_KARD_CLIENT_SECRET', visibleAscii, 'visible ASCII characters'),
      webhookSecret: text('PURSER_KARD_WEBHOOK_SECRET', visibleAscii, 'visible ASCII characters'),
    }
    const provider = read('PURSER_REWARDS_PROVIDER', 'builtin', oneOf('builtin', 'kard'), 'builtin or kard')
    if (provider === 'builtin') return undefined
    const { url = '', tokenUrl = '', clientId = '', clientSecret = '', webhookSecret } = kard
    const needed = ['URL', 'TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => `PURSER_KARD_${name}`)
    for (const name of needed.filter((name) => !environment[name])) {
      faults.push(`${name} is required with PURSER_REWARDS_PROVIDER=kard`)
    }
    return { url, tokenUrl, clientId, clientSecret, webhookSecret }
  }
  if (mode === 'live' && !environment.DATABASE_URL) faults.push('DATABASE_URL is required in live mode')
  if (mode === 'live' && config.review === 'manual') {
    faults.push('PURSER_REVIEW must be automatic in live mode: only sandbox mode has the operations of a reviewer')
  }
  if (environment.DATABASE_URL && !environment.PURSER_ENCRYPTION_KEY) {
    faults.push('PURSER_ENCRYPTION_KEY is required with DATABASE_URL: make one with `openssl rand -base64 32`')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function oneOf<T extends string>(...words: T[]): (text: string) => T | undefined {
  return (text) => words.find((word) => word === text)
}

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const number = Number(text)
    return /^\d+$/.test(text) && number >= least && number <= most ? number : undefined
  }
}

const milliseconds = wholeNumber(1, 600_000)

function visibleAscii(text: string): string | undefined {
  return /^[\x21-\x7e]{1,4096}$/.test(text) ? text : undefined
}

function digits(text: string): string | undefined {
  return /^[1-9][0-9]{0,18}$/.test(text) ? text : undefined
}

/** Where an upstream is: without a trailing slash. Secrets travel there, so that live mode takes no plain HTTP. */
function upstreamUrl(mode: Config['mode']): (text: string) => string | undefined {
  return (text) => {
    if (!URL.canParse(text)) return undefined
    const { protocol, username, password, search, hash, href } = new URL(text)
    const schemes = mode === 'live' ? ['https:'] : ['https:', 'http:']
    return schemes.includes(protocol) && `${username}${password}${search}${hash}` === ''
      ? href.replace(/\/+$/, '')
      : undefined
  }
}

function upstreamUrlForm(mode: Config['mode']): string {
  return mode === 'live' ? 'an https:// URL' : 'an https:// URL, or in sandbox mode an http:// one'
}

function durationsMs(text: string): number[] | undefined {
  const durations = text.split(',').map((part) => durationMs(part.trim()))
  return durations.length <= 20 && durations.every((ms) => ms !== undefined) ? durations : undefined
}

function within(number: number | undefined, least: number, most: number): number | undefined {
  return number !== undefined && number >= least && number <= most ? number : undefined
}

function networks(text: string): string[] | undefined {
  const list = text.split(',').map((part) => part.trim())
  const valid = list.every((part) => {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(part) ?? []
    const version = isIP(address)
    return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128)
  })
  return valid ? list : undefined
}

/** What a database URL must be and is not; undefined where it is in order. */
function databaseUrlFault(text: string): string | undefined {
  try {
    serversOf(text)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function key32(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 && /^[A-Za-z0-9+/]{43}=$/.test(text) ? bytes : undefined
}
