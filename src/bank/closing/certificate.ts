import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { bankingDaysAfter, daysAfter } from '../../rails/ach/calendar.ts'
import type { ChainHead, KindBalance } from './ledger.sql.ts'

/** The proof of a day, to the cent. */
export interface Certificate {
  format: 'purser-closed-day-1'
  routingNumber: string
  account: string
  day: string
  version: number
  closedAt: string
  /** The certificate of the banking day before; null for the first day. */
  previous: { day: string; sha256: string } | null
  /** The certificate that was reopened; null for the first version. */
  replaces: { sha256: string; because: string } | null
  statements: CertifiedStatement[]
  /** The balances of all customers and of the internal accounts by kind, which add up to zero. */
  ledger: KindBalance[]
  /** The account by the statement and by the ledger, and the sums of the items by which they differ. */
  settlement: { statement: number; ledger: number; statementItems: number; ledgerItems: number }
  items: CertifiedItem[]
  /** The heads of the chains of events. */
  heads: ChainHead[]
}

export interface CertifiedStatement {
  asOf: string
  page: number
  reference: string
  names: Record<string, string>
  sha256: string
  entries: number
  opening: number
  net: number
  closing: number
}

interface CertifiedItem {
  id: number
  side: 'statement' | 'ledger'
  day: string
  amount: number
  description: string
  owner: string | null
  note: string | null
  /** The day on which it was matched, and why; null if it was open when the day was closed. */
  matchedOn: string | null
  reason: string | null
}

/** The file of a certificate, with the operator's signature. */
export function signedText(certificate: Certificate, key: KeyObject): string {
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
  const signature = sign(null, Buffer.from(JSON.stringify(certificate)), key).toString('base64')
  return fileText({ certificate, publicKey, signature })
}

export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

interface SignedFile {
  certificate: Certificate
  publicKey: string
  signature: string
}

function fileText(file: SignedFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

export interface Verdict {
  day: string
  faults: string[]
  sha256: string
  publicKey: string
  certificate: Certificate
}

/** Checks one certificate by itself: its bytes, its signature and its arithmetic. Throws if the text is no certificate. */
export function checkCertificate(text: string, publicKey: string | undefined): Verdict {
  const file = parsed(text)
  const { certificate } = file
  const faults = [...faultsOf(file, text, publicKey), ...sumFaults(certificate)]
  return { day: certificate.day, faults, sha256: sha256Of(text), publicKey: file.publicKey, certificate }
}

function parsed(text: string): SignedFile {
  let file: SignedFile
  try {
    file = JSON.parse(text) as SignedFile
  } catch {
    throw new TypeError('the file is no JSON')
  }
  const found = file?.certificate
  const lists = [found?.statements, found?.ledger, found?.items, found?.heads]
  const isCertificate =
    found?.format === 'purser-closed-day-1' && lists.every(Array.isArray) && typeof found.settlement === 'object'
  if (!isCertificate || typeof file.publicKey !== 'string' || typeof file.signature !== 'string') {
    throw new TypeError('the file is no certificate of a closed day')
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(found.day)) throw new TypeError('the certificate has no day')
  return file
}

function faultsOf(file: SignedFile, text: string, publicKey: string | undefined): string[] {
  const { certificate, signature } = file
  const faults: string[] = []
  if (fileText(file) !== text) faults.push('the bytes are not those that were written')
  if (publicKey !== undefined && file.publicKey !== publicKey) faults.push('another key has signed it')
  if (!isSigned(JSON.stringify(certificate), file.publicKey, signature))
    faults.push('the signature is not that of its content')
  return faults
}

function isSigned(content: string, publicKey: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return (
      key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'))
    )
  } catch {
    return false
  }
}

/** The sums that must agree, with the cents by which they do not. */
export function sumFaults({ ledger, settlement, statements, items, account }: Certificate): string[] {
  const faults: string[] = []
  const differ = (what: string, difference: number) => {
    if (difference !== 0) faults.push(`${what} by ${difference} cents`)
  }
  differ('the ledger differs from zero', sum(ledger.map(({ balance }) => balance)))
  const own = ledger.find(({ kind }) => kind === 'ach_settlement')?.balance ?? 0
  differ('the settlement account differs from the ledger', settlement.ledger + own)
  for (const side of ['statement', 'ledger'] as const) {
    const listed = sum(items.filter((item) => item.side === side).map(({ amount }) => amount))
    differ(`the items of the ${side} differ from their sum`, settlement[`${side}Items`] - listed)
  }
  const { statement, ledger: booked, statementItems, ledgerItems } = settlement
  differ(`the statement of ${account} differs from ledger and items`, statement - booked - statementItems + ledgerItems)
  for (const [index, { asOf, opening, net, closing }] of statements.entries()) {
    differ(`the statement of ${asOf} differs from its entries`, opening + net - closing)
    const before = statements[index - 1]
    if (before) differ(`the opening of ${asOf} differs from the closing before`, opening - before.closing)
  }
  const last = statements.at(-1)
  if (last) differ('the last closing differs from the statement', last.closing - statement)
  else faults.push('there is no statement')
  return faults
}

function sum(amounts: number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

/** Adds to checked certificates how they fail to follow each other: a day that is left out, or another certificate than the one named. */
export function checkChain(verdicts: readonly Verdict[]): Verdict[] {
  const known = new Map(verdicts.map((verdict) => [verdict.sha256, verdict]))
  const ordered = verdicts.toSorted((one, other) =>
    one.day === other.day ? one.certificate.version - other.certificate.version : one.day < other.day ? -1 : 1,
  )
  return ordered.map((verdict, index) => {
    const { previous, replaces, version, statements } = verdict.certificate
    const faults = [...verdict.faults]
    if (index > 0 && verdict.publicKey !== ordered[0]?.publicKey)
      faults.push('another key has signed it than the first day')
    if (previous) {
      const expected = bankingDaysAfter(daysAfter(previous.day, 1), 0)
      if (expected !== verdict.day) faults.push(`the day before is ${previous.day}, and ${expected} is left out`)
    }
    const before = previous && known.get(previous.sha256)
    if (index > 0 && previous && !before && previous.day >= (ordered[0]?.day ?? '')) {
      faults.push(`the certificate of ${previous.day} that it follows is not among the files`)
    }
    if (!previous && ordered[0]?.day !== verdict.day) faults.push('it follows no day, and others come before it')
    const opening = statements[0]?.opening
    if (before && opening !== undefined && opening !== before.certificate.settlement.statement) {
      faults.push(`it opens ${opening - before.certificate.settlement.statement} cents apart from the day before`)
    }
    if (
      version > 1 &&
      replaces &&
      index > 0 &&
      ordered[index - 1]?.day === verdict.day &&
      !known.has(replaces.sha256)
    ) {
      faults.push('the version that it replaces is not among the files')
    }
    return { ...verdict, faults }
  })
}
