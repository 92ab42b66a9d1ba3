import { dayOf, dayOfTime, decimalCents } from './amounts.ts'
import {
  type BankStatement,
  type Flag,
  requireBalance,
  requireFew,
  type StatementEntry,
  StatementFault,
} from './statement.ts'
import { all, at, readXml, textAt, type XmlElement } from './xml.ts'

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[2-9]|1[0-4])$/

/** The children of entries and balances that are known. Another one that carries money could change what the entry is worth. */
const knownIn: Record<string, ReadonlySet<string>> = {
  Ntry: new Set(
    (
      'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd ComssnWvrInd AddtlInfInd AmtDtls Chrgs ' +
      'TechInptChanl Intrst CardTx NtryDtls AddtlNtryInf'
    ).split(' '),
  ),
  Bal: new Set('Tp CdtLine Amt CdtDbtInd Dt Avlbty'.split(' ')),
}

/** An entry that has been read. Its elements are given up, so that a large file takes little memory. */
type Booked = Omit<StatementEntry, 'place'>

interface Found {
  booked: Booked[]
  notBooked: number
  flags: Set<Flag>
}

/** Reads the statements of a camt.053 document, of the versions 02 to 14. */
export function readCamt053(text: string): BankStatement[] {
  const byStatement = new Map<XmlElement, Found>()
  const foundOf = (statement: XmlElement) => {
    const found = byStatement.get(statement) ?? { booked: [], notBooked: 0, flags: new Set() }
    byStatement.set(statement, found)
    return found
  }
  const root = readXml(text, (element, parent) => {
    if (element.name !== 'Ntry' || parent.name !== 'Stmt') return false
    takeEntry(element, foundOf(parent))
    return true
  })
  if (root.name !== 'Document' || !NAMESPACE.test(root.namespace)) {
    throw new StatementFault(
      'namespace',
      `${root.namespace || 'a document without a namespace'} is not camt.053, 02 to 14`,
    )
  }
  const message = at(root, 'BkToCstmrStmt')
  const statements = all(message, 'Stmt')
  if (statements.length === 0) throw new StatementFault('format', 'the document has no statement')
  return statements.map((each) => readStatement(each, message, foundOf(each)))
}

function takeEntry(element: XmlElement, found: Found): void {
  requireKnown(element)
  const status = textAt(element, 'Sts', 'Cd') || textAt(element, 'Sts')
  if (status === 'BOOK') {
    const entry = bookedEntry(element, found.flags)
    if (entry.amount !== 0) found.booked.push(entry)
  } else if (status === '') throw new StatementFault('field', 'an entry has no status')
  else found.notBooked++
  requireFew(found.booked.length)
}

function readStatement(statement: XmlElement, message: XmlElement | undefined, found: Found): BankStatement {
  const { booked, notBooked, flags } = found
  const balances = all(statement, 'Bal').map(readBalance)
  const balance = (...codes: string[]) => balances.find(({ code }) => codes.includes(code))
  const interim = balances.filter(({ code }) => code === 'ITBD')
  const [opening, closing] = [balance('OPBD', 'PRCD'), balance('CLBD')]
  const page = pageOf(at(statement, 'StmtPgntn') ?? at(message, 'GrpHdr', 'MsgPgntn'))
  const account = at(statement, 'Acct')
  const others = interim.map(({ day }) => day)
  const asOf =
    closing?.day ??
    balance('OPBD')?.day ??
    others[0] ??
    dayIn(statement, 'FrToDt', 'ToDtTm') ??
    dayIn(statement, 'CreDtTm')
  if (!asOf) throw new StatementFault('date', 'the statement has no date')
  if (page && !page.last) flags.add('pages_missing')
  if (!opening && (page?.number ?? 1) === 1) flags.add('opening_missing')
  if (!closing) flags.add('closing_missing')
  if (notBooked > 0) flags.add('entries_not_booked')
  if (textAt(statement, 'CpyDplctInd') !== '') flags.add('copy')
  const entries = booked.map((entry, index) => ({ ...entry, place: index + 1 }))
  for (const entry of entries) entry.bookedOn ||= asOf
  if (totalsDiffer(statement, entries)) flags.add('totals_differ')
  const read: BankStatement = {
    ...{ format: 'camt.053', servicer: servicerOf(account), asOf, status: 'update', isInterim: false, page },
    account: textAt(account, 'Id', 'Othr', 'Id') || textAt(account, 'Id', 'IBAN'),
    currency: textAt(account, 'Ccy') || opening?.currency || closing?.currency || interim[0]?.currency || 'USD',
    reference: textAt(statement, 'Id'),
    names: {
      electronicSequence: textAt(statement, 'ElctrncSeqNb'),
      messageId: textAt(message, 'GrpHdr', 'MsgId'),
    },
    ...{ opening: opening?.amount ?? null, closing: closing?.amount ?? null, entries, notBooked, flags: [...flags] },
  }
  if (read.account === '') throw new StatementFault('field', 'the statement names no account')
  const other = balances.find(({ currency }) => currency !== read.currency)
  if (other) throw new StatementFault('field', `a balance is in ${other.currency}, and the account in ${read.currency}`)
  requirePage(
    read,
    interim.map(({ amount }) => amount),
  )
  return read
}

/** Interim balances stand in for the opening one after the first page, and for the closing one before the last. */
function requirePage(statement: BankStatement, interim: number[]): void {
  const { page, opening, closing } = statement
  const [first, last] = [interim[0] ?? null, interim.at(-1) ?? null]
  const isBetween = page !== null && opening === null && closing === null && interim.length < 2
  if (isBetween) return
  requireBalance({ ...statement, opening: opening ?? (page ? first : null), closing: closing ?? (page ? last : null) })
}

function pageOf(element: XmlElement | undefined): BankStatement['page'] {
  if (!element) return null
  const [number, last] = [textAt(element, 'PgNb'), textAt(element, 'LastPgInd')]
  if (!/^0*[1-9]\d{0,4}$/.test(number)) throw new StatementFault('field', 'a page has no number')
  const page = { number: Number(number), last: isTrue(last) }
  return page.number === 1 && page.last ? null : page
}

function readBalance(element: XmlElement) {
  requireKnown(element)
  const code = textAt(element, 'Tp', 'CdOrPrtry', 'Cd')
  return { code, ...moneyOf(element), day: dayIn(element, 'Dt') }
}

/** The amount of an element with the sign of its direction. */
function moneyOf(element: XmlElement): { amount: number; currency: string } {
  const direction = textAt(element, 'CdtDbtInd')
  if (direction !== 'CRDT' && direction !== 'DBIT') {
    throw new StatementFault('field', `${direction || 'nothing'} stands where CRDT or DBIT must`)
  }
  const amount = at(element, 'Amt')
  const cents = decimalCents(amount?.text.trim() ?? '')
  return { amount: direction === 'DBIT' && cents > 0 ? -cents : cents, currency: amount?.attributes.get('Ccy') ?? '' }
}

/** The day of an element, as a date or as a time. */
function dayIn(element: XmlElement | undefined, ...path: string[]): string | undefined {
  const found = at(element, ...path)
  if (!found) return undefined
  const [day, time] = [textAt(found, 'Dt'), textAt(found, 'DtTm')]
  if (day !== '') return dayOf(day)
  if (time !== '') return dayOfTime(time)
  return found.children.length === 0 ? dayOfTime(found.text.trim()) : undefined
}

function servicerOf(account: XmlElement | undefined): string {
  const institution = at(account, 'Svcr', 'FinInstnId')
  return textAt(institution, 'ClrSysMmbId', 'MmbId') || textAt(institution, 'BICFI') || textAt(institution, 'BIC')
}

/** The direction of an entry is its own: that it reverses another one does not turn it once more. */
function bookedEntry(element: XmlElement, flags: Set<Flag>): Booked {
  const { amount } = moneyOf(element)
  const details = all(element, 'NtryDtls').flatMap((each) => all(each, 'TxDtls'))
  if (partsDiffer(details, amount)) flags.add('details_differ')
  const batches = all(element, 'NtryDtls').map((each) => textAt(each, 'Btch', 'PmtInfId'))
  const named = details.flatMap((each) => at(each, 'Refs')?.children.map((child) => child.text.trim()) ?? [])
  const reasons = details.flatMap((each) => [
    ...['Cd', 'Prtry'].map((name) => textAt(each, 'RtrInf', 'Rsn', name)),
    textAt(each, 'RtrInf', 'AddtlInf'),
    ...all(at(each, 'RmtInf'), 'Ustrd').map((child) => child.text.trim()),
  ])
  const references = [textAt(element, 'NtryRef'), ...batches, ...named]
  return {
    ...{ amount, direction: amount < 0 ? 'Debit' : 'Credit', codes: codesOf(at(element, 'BkTxCd')) },
    ...{ bookedOn: dayIn(element, 'BookgDt') ?? '', valueOn: dayIn(element, 'ValDt') ?? null },
    bankReference: textAt(element, 'AcctSvcrRef'),
    references: [...new Set(references.filter((each) => each !== '' && each !== 'NOTPROVIDED'))],
    text: [textAt(element, 'AddtlNtryInf'), ...reasons].filter((each) => each !== '').join(' '),
  }
}

/** The bank's own code first: many put the BAI type code there. */
function codesOf(code: XmlElement | undefined): string[] {
  const [own, domain] = [textAt(code, 'Prtry', 'Cd'), at(code, 'Domn')]
  const family = [textAt(domain, 'Cd'), textAt(domain, 'Fmly', 'Cd'), textAt(domain, 'Fmly', 'SubFmlyCd')].join('/')
  return [own, family].filter((each) => each !== '' && each !== '//')
}

/** Details are parts of their entry. Fees and currencies may set them apart from it, so that a difference is only noted. */
function partsDiffer(details: XmlElement[], amount: number): boolean {
  const parts = details.map((each) => at(each, 'Amt') && at(each, 'CdtDbtInd') && moneyOf(each).amount)
  if (parts.length === 0 || parts.some((part) => part === undefined)) return false
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) !== amount
}

function totalsDiffer(statement: XmlElement, entries: readonly StatementEntry[]): boolean {
  const sumOf = (direction: string) =>
    entries.reduce((sum, each) => sum + (each.direction === direction ? Math.abs(each.amount) : 0), 0)
  const differs = (name: string, direction: string) => {
    const sum = textAt(statement, 'TxsSummry', name, 'Sum')
    return sum !== '' && decimalCents(sum) !== sumOf(direction)
  }
  return differs('TtlCdtNtries', 'Credit') || differs('TtlDbtNtries', 'Debit')
}

function requireKnown(element: XmlElement): void {
  const unknown = element.children.find((child) => !knownIn[element.name]?.has(child.name) && carriesMoney(child))
  if (unknown) throw new StatementFault('field', `${element.name} has an amount in ${unknown.name}, which is not known`)
}

function carriesMoney({ attributes, children }: XmlElement): boolean {
  return attributes.has('Ccy') || children.some(carriesMoney)
}

function isTrue(text: string): boolean {
  return text === 'true' || text === '1'
}
