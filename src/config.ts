import type { KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import type { DebitSettings } from './banking/accounts/account-limits.ts'
import { type OverdueRule, overdueRules } from './banking/recurring-payments/overdue-rule.ts'
import type { SignatureRules } from './base/operation.ts'
import { type CellSettings, cellConfig, refuseManyFiles } from './cells/settings.ts'
import { achConfig } from './config/ach.ts'
import { connectorConfig } from './config/connectors.ts'
import { type DecisionSettings, decisionConfig, screeningConfig } from './config/hooks.ts'
import { keepConfig } from './config/keep.ts'
import {
  cents,
  databaseUrl,
  databaseWait,
  duration,
  durations,
  hostNames,
  key32,
  logLevel,
  matching,
  networks,
  oneOf,
  port,
  processes,
  rate,
  retryDays,
  standbyUrl,
  stopRates,
  text,
  visibleAscii,
  webhookTimeout,
  wholeNumber,
} from './config/kinds.ts'
import { peopleConfig } from './config/people.ts'
import { CELL_PREFIX, type Environment, type Mode, openReader, READ_PREFIX, type Reader } from './config/reader.ts'
import { signatureConfig } from './config/signatures.ts'
import { closingKey, type StatementSettings, statementConfig } from './config/statements.ts'
import type { ConnectorSettings } from './connectors/connectors.ts'
import type { LogLevel } from './http/log.ts'
import type { PeopleSettings } from './people/settings.ts'
import type { AchMode } from './rails/ach/settings.ts'
import type { Keep } from './retention/keep.ts'
import { retryDelaysMs } from './webhooks/delivery/retry.ts'
import type { HookSettings } from './webhooks/hook.ts'

export interface Config extends ConnectorSettings {
  port: number
  host: string
  /** Processes that serve requests behind the port. */
  processes: number
  /** Absent if the service runs its embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** A standby of that server, which may answer reads. */
  readUrl: string | undefined
  /** The cells beside the home cell. */
  cells: CellSettings[]
  /** How long a start waits for a database that cannot be reached. */
  databaseWaitMs: number
  dataDir: string
  apiKey: string | undefined
  mode: Mode
  demo: boolean
  routingNumber: string
  overdraftCents: number
  /** Whether payments to an external account wait for a review until one was approved. */
  reviewFirstPayment: boolean
  /** When accounts are credited with the money of debits, if their limits do not say otherwise. */
  debits: DebitSettings
  /** Days from the settlement of micro-entries to the end of their verification. */
  verificationDays: number
  /** The rule of runs of recurring payments that are more than a day late. */
  recurringOverdue: OverdueRule
  /** How payments to other banks leave. */
  ach: AchMode
  /** Absent if no statements of a settlement account are taken. */
  statements: StatementSettings | undefined
  /** The key that signs certificates of closed days. */
  closingKey: KeyObject | undefined
  /** Absent if no decision needs a second person. */
  signatures: SignatureRules | undefined
  /** Whether applications and documents wait for a person. */
  review: 'automatic' | 'manual'
  /** Absent if no app takes part in the decision of card authorizations. */
  decision: DecisionSettings | undefined
  /** Absent if nobody screens new customers and external accounts. */
  screening: HookSettings | undefined
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
  /** The persons who sign in to the console. */
  people: PeopleSettings
  /** How long rows are kept. */
  keep: Keep
  /** Absent if no metrics are served. */
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

/** Reads the whole configuration and reports all faults at once. An empty variable counts as absent. */
export function parseConfig(environment: Environment): Config {
  const reader = openReader(environment)
  const mode = reader.read('PURSER_MODE', oneOf('sandbox', 'live'), 'sandbox')
  const server = serverConfig(reader, mode)
  const cells = cellConfig(reader, server.databaseUrl)
  const bank = bankConfig(reader)
  const ach = achConfig(reader, mode, { ...server, ...bank })
  const webhooks = webhookConfig(reader)
  const limits = limitConfig(reader)
  const keep = keepConfig(reader)
  const connectors = connectorConfig(reader, mode)
  const review = reviewConfig(reader, mode, connectors.unit)
  const decision = decisionConfig(reader, mode)
  const screening = screeningConfig(reader, mode)
  const statements = statementConfig(reader, server.dataDir)
  const own = {
    ...server,
    cells,
    ...bank,
    ach,
    statements,
    closingKey: closingKey(reader),
    signatures: signatureConfig(reader),
    ...webhooks,
    ...limits,
    people: peopleConfig(reader, mode),
    keep,
    review,
    decision,
    screening,
  }
  const config: Config = { mode, ...own, ...connectors }
  if (config.unit) refuseUnasked(reader, config)
  if (config.unit && config.signatures) {
    reader.fault('PURSER_TWO_SIGNATURES has no use with PURSER_BANKING_PROVIDER=unit, whose bank decides itself')
  }
  const [cell] = cells
  if (cell && (config.unit || config.kard)) {
    reader.fault(`${cell.setting} has no use with a connector, which serves one organisation`)
  }
  if (cell && mode === 'live' && config.ach !== 'instant') refuseManyFiles(reader, cells, config.ach)
  if (config.readUrl && (config.unit || config.kard)) {
    reader.fault('PURSER_READ_URL has no use with a connector, whose upstream answers reads')
  }
  if (config.readUrl && !reader.has('DATABASE_URL')) {
    reader.fault('PURSER_READ_URL needs DATABASE_URL: the embedded server has no standby')
  }
  if (mode === 'live' && !reader.has('DATABASE_URL')) reader.fault('DATABASE_URL is required in live mode')
  if (mode === 'live' && !config.unit && !reader.has('PURSER_ACH')) {
    reader.fault(
      'PURSER_ACH is required in live mode: windows builds ACH files; with instant payments are booked as sent and no file leaves the bank',
    )
  }
  if (reader.has('DATABASE_URL') && !reader.has('PURSER_ENCRYPTION_KEY')) {
    reader.fault('PURSER_ENCRYPTION_KEY is required with DATABASE_URL: make one with `openssl rand -base64 32`')
  }
  if (config.maxRequests < config.processes) {
    reader.fault('PURSER_MAX_REQUESTS must be at least PURSER_PROCESSES: each process gets an equal part of it')
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

/** Warns of a live bank whose payments to other banks go nowhere. */
export function unpaidWarning({
  mode,
  ach,
  unit,
}: Pick<Config, 'mode' | 'ach'> & { unit?: unknown }): string | undefined {
  if (mode !== 'live' || ach !== 'instant' || unit) return undefined
  return 'PURSER_ACH=instant in live mode: payments to other banks are booked as Sent, and no money leaves. Set windows'
}

/** Variables that look like settings and are none, so that they have no effect. `meant` is the setting of the same letters. */
export function unknownSettings(environment: Environment): { name: string; meant: string | undefined }[] {
  const known = [...settingNames()]
  const isOfCell = (name: string) => name.startsWith(CELL_PREFIX) || name.startsWith(READ_PREFIX)
  const letters = (name: string) => name.replaceAll('_', '')
  return Object.keys(environment)
    .filter((name) => name.startsWith('PURSER_') && !isOfCell(name) && !known.includes(name))
    .map((name) => ({ name, meant: known.find((each) => letters(each) === letters(name)) }))
}

function serverConfig({ read, optional }: Reader, mode: Mode) {
  return {
    port: read('PORT', port, 4000),
    host: read('HOST', text('a host name or address'), '127.0.0.1'),
    processes: read('PURSER_PROCESSES', processes, 1),
    databaseUrl: optional('DATABASE_URL', databaseUrl),
    readUrl: optional('PURSER_READ_URL', standbyUrl),
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

function bankConfig({ read, optional }: Reader) {
  return {
    demo: read('PURSER_DEMO', oneOf('on', 'off'), 'on') === 'on',
    routingNumber: read('PURSER_ROUTING_NUMBER', matching(/^\d{9}$/, '9 digits'), '812345678'),
    overdraftCents: read('PURSER_OVERDRAFT', cents, 0),
    reviewFirstPayment: read('PURSER_REVIEW_FIRST_PAYMENT', oneOf('on', 'off'), 'off') === 'on',
    verificationDays: read('PURSER_VERIFICATION_DAYS', wholeNumber(1, 60, 'a number of days from 1 to 60'), 10),
    debits: {
      clearingDays: read('PURSER_DEBIT_CLEARING_DAYS', wholeNumber(0, 60, 'a number of banking days from 0 to 60'), 3),
      earlyAvailability: read('PURSER_DEBIT_EARLY', cents, 0),
      blockOnReturn: read('PURSER_DEBIT_BLOCK_ON_RETURN', oneOf('on', 'off'), 'off') === 'on',
      stopAt: optional('PURSER_DEBIT_STOP', stopRates),
      companyStopAt: optional('PURSER_DEBIT_STOP_COMPANY', stopRates),
      retryAfter: optional('PURSER_DEBIT_RETRY', retryDays),
    },
    recurringOverdue: read('PURSER_RECURRING_OVERDUE', oneOf(...overdueRules), 'all'),
    rewardPayoutDelayMs: read('PURSER_REWARD_PAYOUT_DELAY', duration, 0),
  }
}

/** A live bank leaves applications and documents to a person unless it is set otherwise. Unit reviews them itself. */
function reviewConfig(reader: Reader, mode: Mode, unit: Config['unit']): Config['review'] {
  const fallback = mode === 'live' && !unit ? 'manual' : 'automatic'
  const review = reader.read('PURSER_REVIEW', oneOf('automatic', 'manual'), fallback)
  if (mode === 'live' && unit && review === 'manual') {
    reader.fault('PURSER_REVIEW must be automatic with PURSER_BANKING_PROVIDER=unit: Unit reviews applications itself')
  }
  return review
}

/** Unit decides about customers, payments and purchases by itself: a service that is set to take part would never be asked. */
function refuseUnasked(reader: Reader, { reviewFirstPayment }: Pick<Config, 'reviewFirstPayment'>): void {
  const unasked = ['PURSER_SCREENING_URL', 'PURSER_DECISION_URL'].filter((name) => reader.has(name))
  if (reviewFirstPayment) unasked.push('PURSER_REVIEW_FIRST_PAYMENT=on')
  for (const name of unasked)
    reader.fault(`${name} has no use with PURSER_BANKING_PROVIDER=unit, which decides by itself`)
}

function webhookConfig({ read }: Reader) {
  return {
    webhookTimeoutMs: read('PURSER_WEBHOOK_TIMEOUT', webhookTimeout, 15_000),
    webhookRetriesMs: read('PURSER_WEBHOOK_RETRIES', durations, retryDelaysMs),
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
