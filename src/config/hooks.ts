import type { HookSettings } from '../webhooks/hook.ts'
import { oneOf, wholeNumber } from './kinds.ts'
import { type Kind, type Mode, type Reader, requireAll } from './reader.ts'

/** The hook that takes part in the decision of a card authorization, and the decision if it gives none. */
export interface DecisionSettings extends HookSettings {
  onSilence: 'approve' | 'decline'
}

/** A card processor waits two seconds; what is left of them is for the bank's own work and the way there and back. */
const DECISION_MS = 1_200
const SCREENING_MS = 3_000

export function decisionConfig(reader: Reader, mode: Mode): DecisionSettings | undefined {
  const onSilence = reader.read('PURSER_DECISION_ON_SILENCE', oneOf('approve', 'decline'), 'decline')
  const timeoutMs = reader.read('PURSER_DECISION_TIMEOUT', decisionTimeout, DECISION_MS)
  const hook = hookConfig(reader, mode, 'PURSER_DECISION', timeoutMs)
  return hook && { ...hook, onSilence }
}

/** The hook that is asked about new customers, external accounts and payments. */
export function screeningConfig(reader: Reader, mode: Mode): HookSettings | undefined {
  return hookConfig(reader, mode, 'PURSER_SCREENING', SCREENING_MS)
}

/** The URL and the secret of a hook; undefined if there is none. */
function hookConfig(reader: Reader, mode: Mode, name: string, timeoutMs: number): HookSettings | undefined {
  const url = reader.optional(`${name}_URL`, hookUrl(mode))
  const secret = reader.optional(`${name}_SECRET`, signingSecret)
  if (!reader.has(`${name}_URL`)) return undefined
  requireAll(reader, [`${name}_SECRET`], `${name}_URL`)
  return { url: url ?? '', secret: secret ?? '', timeoutMs }
}

const decisionTimeout = wholeNumber(100, 2_000, 'milliseconds from 100 to 2000')

/** The secret of Standard Webhooks: 24 to 64 bytes. */
const signingSecret: Kind<string> = {
  parse(given) {
    const [, text] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(given) ?? []
    const bytes = Buffer.from(text ?? '', 'base64').length
    return bytes >= 24 && bytes <= 64 ? given : undefined
  },
  expected: 'whsec_ and 24 to 64 bytes in Base64',
}

/** Requests of a host to itself cross no network, so that plain HTTP is enough for them. */
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function hookUrl(mode: Mode): Kind<string> {
  const hasScheme = (given: string) => {
    if (!URL.canParse(given)) return false
    const { protocol, hostname } = new URL(given)
    return protocol === 'https:' || (protocol === 'http:' && (mode === 'sandbox' || loopback.test(hostname)))
  }
  return {
    parse(given) {
      if (!hasScheme(given)) return undefined
      const { username, password, hash, href } = new URL(given)
      return `${username}${password}${hash}` === '' ? href : undefined
    },
    expected(given) {
      if (hasScheme(given)) return 'a URL without user, password and fragment'
      return mode === 'live'
        ? 'an https:// URL, or an http:// one on this machine'
        : 'an https:// URL, or in sandbox mode an http:// one'
    },
  }
}
