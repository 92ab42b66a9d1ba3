import { createPrivateKey, type KeyObject } from 'node:crypto'
import { join, resolve } from 'node:path'
import { type EntryKind, entryKinds, type KindMapping } from '../rails/statements/codes.ts'
import type { CsvMapping } from '../rails/statements/csv.ts'
import type { StatementForm } from '../rails/statements/read-statements.ts'
import { matching, text, wholeNumber } from './kinds.ts'
import type { Kind, Reader } from './reader.ts'

/** The statements of the settlement account, and the closing of days. */
export interface StatementSettings extends StatementForm {
  /** The folder from which statements are taken. */
  incoming: string
  /** The banking days by which the statement may be behind the ledger, or ahead of it. */
  windowDays: number
}

/** Undefined if no settlement account is named: no statements are taken then. */
export function statementConfig(reader: Reader, dataDir: string): StatementSettings | undefined {
  const account = reader.optional(
    'PURSER_STATEMENT_ACCOUNT',
    matching(/^[A-Za-z0-9]{1,34}$/, 'up to 34 letters and digits'),
  )
  const settings = {
    kinds: reader.read('PURSER_STATEMENT_KINDS', kindMapping, new Map()),
    csv: reader.optional('PURSER_STATEMENT_CSV', csvMapping),
    incoming: resolve(reader.read('PURSER_STATEMENT_INCOMING', text('a folder'), join(dataDir, 'statements', 'in'))),
    windowDays: reader.read('PURSER_STATEMENT_WINDOW', wholeNumber(0, 10, 'a number of banking days, 0 to 10'), 2),
  }
  return account === undefined ? undefined : { account, ...settings }
}

/** The key that signs the certificates of closed days. */
export function closingKey(reader: Reader): KeyObject | undefined {
  return reader.optional('PURSER_CLOSING_KEY', signingKey)
}

const signingKey: Kind<KeyObject> = {
  parse(given) {
    try {
      const isPem = given.includes('-----BEGIN')
      const key = isPem
        ? createPrivateKey(given)
        : createPrivateKey({ key: Buffer.from(given, 'base64'), format: 'der', type: 'pkcs8' })
      return key.asymmetricKeyType === 'ed25519' ? key : undefined
    } catch {
      return undefined
    }
  },
  expected: 'an Ed25519 private key as PEM: make one with `openssl genpkey -algorithm ed25519`',
}

const KIND = new RegExp(`^([A-Za-z0-9/]{1,35})=(${entryKinds.join('|')})(?::(credit|debit))?$`)

const kindMapping: Kind<KindMapping> = {
  parse(given) {
    const parts = given.split(',').map((part) => KIND.exec(part.trim()))
    if (parts.includes(null)) return undefined
    return new Map(
      parts.map((part) => {
        const [, code = '', kind, direction] = part ?? []
        const signed = direction && { direction: direction === 'credit' ? ('Credit' as const) : ('Debit' as const) }
        return [code, { kind: kind as EntryKind, ...signed }]
      }),
    )
  },
  expected: `codes of the bank with their kinds, such as 975=fee,721=other:credit; kinds are ${entryKinds.join(', ')}`,
}

const csvNames = ['date', 'amount', 'credit', 'debit', 'balance', 'code', 'reference', 'text', 'separator']

const csvMapping: Kind<CsvMapping> = {
  parse(given) {
    const pairs = given.split('|').map((part) => /^\s*(\w+)=(.+?)\s*$/.exec(part))
    const columns = new Map(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
    const of = (name: string) => columns.get(name)
    const [, date, dates = 'YYYY-MM-DD'] = /^(.+?)(?::([YMD./-]{10}))?$/.exec(of('date') ?? '') ?? []
    const [amount, credit, debit, separator = ','] = [of('amount'), of('credit'), of('debit'), of('separator')]
    const isWhole = columns.size === pairs.length && [...columns.keys()].every((name) => csvNames.includes(name))
    if (!isWhole || !date || separator.length > 1 || /["\r\n\\^\]]/.test(separator)) return undefined
    if (amount !== undefined ? (credit ?? debit) : !credit || !debit) return undefined
    const [balance, code, reference, said] = [of('balance'), of('code'), of('reference'), of('text')]
    return {
      ...{
        date,
        dates,
        separator,
        amount: amount === undefined ? { credit: credit ?? '', debit: debit ?? '' } : { signed: amount },
      },
      ...{
        ...(balance && { balance }),
        ...(code && { code }),
        ...(reference && { reference }),
        ...(said && { text: said }),
      },
    }
  },
  expected:
    'columns by what they hold, such as date=Posted:MM/DD/YYYY|amount=Amount|balance=Balance|reference=Ref|text=Memo|separator=;; or credit and debit in place of amount',
}
