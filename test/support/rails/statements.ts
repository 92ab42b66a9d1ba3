/** A line of a statement: cents with a sign. */
export interface BankLine {
  amount: number
  code: string
  reference?: string
  text?: string
}

export interface BankDay {
  asOf: string
  opening: number
  lines: BankLine[]
  /** By default the opening balance and the lines. */
  closing?: number
  account?: string
  fileId?: string
  modifier?: string
  /** The status of the group: 1 adds, 2 deletes, 3 corrects, 4 tests. */
  status?: string
}

export const testAccount = '000440011'

export const closingOf = ({ opening, lines }: Pick<BankDay, 'opening' | 'lines'>) =>
  lines.reduce((sum, { amount }) => sum + amount, opening)

/** A BAI2 file of one account and day. */
export function baiFile({
  asOf,
  opening,
  lines,
  closing,
  account = testAccount,
  fileId = '1',
  ...group
}: BankDay): string {
  const day = asOf.slice(2).replaceAll('-', '')
  const end = closing ?? closingOf({ opening, lines })
  const details = lines.map(
    ({ amount, code, reference = '', text = '' }, index) =>
      `16,${code},${Math.abs(amount)},0,B${index + 1},${reference},${text === '' ? '/' : text}`,
  )
  const total = opening + end + lines.reduce((sum, { amount }) => sum + Math.abs(amount), 0)
  const records = details.length + 2
  const { status = '1', modifier = '2' } = group
  return [
    `01,061000146,PROGRAM,${day},0200,${fileId},,,2/`,
    `02,PROGRAM,061000146,${status},${day},2359,USD,${modifier}/`,
    `03,${account},,010,${opening},,,015,${end},,/`,
    ...details,
    `49,${total},${records}/`,
    `98,${total},1,${records + 2}/`,
    `99,${total},1,${records + 4}/`,
    '',
  ].join('\n')
}

const dollars = (cents: number) =>
  `${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const side = (cents: number) => (cents < 0 ? 'DBIT' : 'CRDT')

/** A camt.053 document of one account and day. */
export function camtFile(
  { asOf, opening, lines, closing, account = testAccount }: BankDay,
  {
    version = '08',
    page = '',
    balances = ['OPBD', 'CLBD'],
  }: { version?: string; page?: string; balances?: string[] } = {},
): string {
  const ends = [opening, closing ?? closingOf({ opening, lines })]
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${dollars(cents)}</Amt>` +
    `<CdtDbtInd>${side(cents)}</CdtDbtInd><Dt><Dt>${asOf}</Dt></Dt></Bal>`
  const status = version < '07' ? 'BOOK' : '<Cd>BOOK</Cd>'
  const entry = ({ amount, code, reference = '', text = '' }: BankLine) =>
    `<Ntry><Amt Ccy="USD">${dollars(amount)}</Amt><CdtDbtInd>${side(amount)}</CdtDbtInd><Sts>${status}</Sts>` +
    `<BookgDt><Dt>${asOf}</Dt></BookgDt><BkTxCd><Prtry><Cd>${code}</Cd><Issr>BAI</Issr></Prtry></BkTxCd>` +
    `<NtryDtls><TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls>` +
    `<AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">` +
    `<BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr><Stmt><Id>S-${asOf}</Id>${page}` +
    `<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>USD</Ccy></Acct>` +
    `${balances.map((code, index) => balance(code, ends[index] ?? 0)).join('')}${lines.map(entry).join('')}` +
    '</Stmt></BkToCstmrStmt></Document>'
  )
}
