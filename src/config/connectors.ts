import type { ConnectorSettings, KardConfig, UnitConfig } from '../connectors/connectors.ts'
import { matching, milliseconds, oneOf, secret, upstreamUrl, wholeNumber } from './kinds.ts'
import { type Mode, type Reader, requireAll } from './reader.ts'

const productName = matching(/^[!-~]([ -~]{0,253}[!-~])?$/, 'the name of a deposit product: up to 255 ASCII characters')

export function connectorConfig(reader: Reader, mode: Mode): Omit<ConnectorSettings, 'rewardPayoutDelayMs'> {
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

function unitConfig(reader: Reader, mode: Mode): UnitConfig | undefined {
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

function kardConfig(reader: Reader, mode: Mode): KardConfig | undefined {
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
