import type { CreatePaymentBatchRequest } from './generated/types.ts'

export type BatchedPayment = CreatePaymentBatchRequest['payments'][number]

/** The largest number of payments of one request. */
const MAX_BATCH = 1_000
/** Faults that a message names. */
const NAMED_FAULTS = 5

/** A list of payments that cannot be read. The message names the first faults with their lines. */
export class UnreadableList extends Error {
  constructor(faults: readonly string[]) {
    const more = faults.length - NAMED_FAULTS
    super([...faults.slice(0, NAMED_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])].join('; '))
  }
}

const required = ['accountId', 'counterpartyAccountId', 'amount', 'description']
/** The columns that a table may lack. `tags.` and a name is the column of a tag. */
export const optionalColumns = ['addenda', 'sameDay', 'secCode', 'idempotencyKey']
/** All columns of a table by their names without case, spaces and signs. */
const columns = new Map([...required, ...optionalColumns, 'originalType'].map((name) => [plain(name), name]))

/**
 * The payments of a text: a JSON list, an object with `payments`, or a table with a line of names, whose cells are
 * separated by commas, semicolons or tabs. Amounts are in cents. The service checks the values; this checks the form.
 */
export function readPaymentList(text: string): BatchedPayment[] {
  // Spaces at the end may be empty cells of a table with tabs.
  const content = text.replace(/^\uFEFF/, '').trimStart()
  if (content === '') throw new UnreadableList(['the list is empty'])
  const payments = /^[[{]/.test(content) ? fromJson(content) : fromTable(content)
  if (payments.length === 0) throw new UnreadableList(['the list has no payment'])
  return payments as unknown as BatchedPayment[]
}

/** The payments in portions that one request takes, with a key each: their own, or one made of `key` and the place. */
export function batchesOf(payments: readonly BatchedPayment[], key: string): BatchedPayment[][] {
  const keyed = payments.map((payment, at) => ({
    ...payment,
    idempotencyKey: payment.idempotencyKey ?? `${key}/${at}`,
  }))
  return Array.from({ length: Math.ceil(keyed.length / MAX_BATCH) }, (_, at) =>
    keyed.slice(at * MAX_BATCH, (at + 1) * MAX_BATCH),
  )
}

function fromJson(content: string): object[] {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new UnreadableList([`the list is not JSON: ${(error as Error).message}`])
  }
  const list = Array.isArray(value) ? value : (value as { payments?: unknown }).payments
  if (!Array.isArray(list)) throw new UnreadableList(['the JSON is no list of payments'])
  const wrong = list.flatMap((each, at) =>
    typeof each === 'object' && each !== null && !Array.isArray(each) ? [] : [`item ${at + 1} is no payment`],
  )
  if (wrong.length > 0) throw new UnreadableList(wrong)
  return list
}

function fromTable(content: string): object[] {
  const [head, ...rows] = rowsOf(content)
  const names = head ? namesOf(head.cells) : []
  const faults: string[] = []
  const payments = rows.map(({ line, cells }) => {
    const fault = cells.length === names.length ? undefined : `has ${cells.length} cells in place of ${names.length}`
    if (fault) faults.push(`line ${line} ${fault}`)
    return fault ? {} : paymentOf(names, cells, (reason) => faults.push(`line ${line}: ${reason}`))
  })
  if (faults.length > 0) throw new UnreadableList(faults)
  return payments
}

function namesOf(cells: readonly string[]): string[] {
  const names = cells.map((cell) => (/^tags\../.test(cell) ? cell : (columns.get(plain(cell)) ?? '')))
  const unknown = names.indexOf('')
  if (unknown >= 0) {
    const known = [...columns.values(), 'tags.NAME'].join(', ')
    throw new UnreadableList([
      `there is no column ${JSON.stringify(cells[unknown])}; the first line names some of ${known}`,
    ])
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice) throw new UnreadableList([`the column ${twice} occurs twice`])
  const missing = required.filter((name) => !names.includes(name))
  if (missing.length === 1) throw new UnreadableList([`the column ${missing[0]} is missing`])
  if (missing.length > 1) throw new UnreadableList([`the columns ${missing.join(', ')} are missing`])
  return names
}

/** A line as a payment. Cells that are empty are left out, and the network is ACH if there is no column for it. */
function paymentOf(names: readonly string[], cells: readonly string[], refuse: (reason: string) => void): object {
  const payment: Record<string, unknown> = { originalType: 'ACH' }
  const tags: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const text = cells[at] ?? ''
    if (text === '') {
      if (required.includes(name)) refuse(`${name} is missing`)
    } else if (name === 'amount') {
      if (/^\d{1,15}$/.test(text)) payment.amount = Number(text)
      else refuse(`amount is in cents, 2500 for 25.00; not ${JSON.stringify(text)}`)
    } else if (name === 'sameDay') {
      if (/^(true|false)$/i.test(text)) payment.sameDay = /^t/i.test(text)
      else refuse(`sameDay is true or false; not ${JSON.stringify(text)}`)
    } else if (name.startsWith('tags.')) tags[name.slice(5)] = text
    else payment[name] = text
  }
  return Object.keys(tags).length > 0 ? { ...payment, tags } : payment
}

interface Row {
  /** The line of the text that it begins in. */
  line: number
  cells: string[]
}

/** The rows of a table as RFC 4180 writes it: a cell in double quotes may have separators, breaks and doubled quotes. */
function rowsOf(content: string): Row[] {
  const separator = separatorOf(content)
  const rows: Row[] = []
  let line = 1
  let row: Row = { line, cells: [] }
  const end = () => {
    if (row.cells.some((cell) => cell !== '')) rows.push(row)
    row = { line, cells: [] }
  }
  const bareCell = `([^"${separator}\\r\\n][^${separator}\\r\\n]*)?`
  const cell = new RegExp(`(?:[ ]*"([^"]*(?:""[^"]*)*)"[ ]*|${bareCell})(${separator}|\\r\\n|\\n|\\r|$)`, 'gy')
  while (cell.lastIndex < content.length) {
    const [whole, quoted, bare = '', after] = cell.exec(content) ?? []
    if (whole === undefined) throw new UnreadableList([`line ${line}: a cell in double quotes does not end with one`])
    row.cells.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'))
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0
    if (after !== separator) end()
    else if (cell.lastIndex === content.length) row.cells.push('')
  }
  end()
  return rows
}

/** The sign that separates the names in the first line. */
function separatorOf(content: string): string {
  const [first = ''] = content.split(/[\r\n]/, 1)
  return ['\t', ';'].find((sign) => first.includes(sign)) ?? ','
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
