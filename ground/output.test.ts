import { expect, test } from 'vitest'
import { outputTo } from './output.ts'
import { jsonLine, padded, visible, widthOf } from './text.ts'

function terminal(columns: number, environment: NodeJS.ProcessEnv = {}, json = false) {
  const written: string[] = []
  const stream = { isTTY: true, columns, write: (text: string | Uint8Array) => written.push(String(text)) }
  const out = outputTo({ json, environment, stdin: {}, stdout: stream, stderr: stream, money: ['amount', 'balance'] })
  return { out, text: () => written.join('') }
}

const NO_COLOR = { NO_COLOR: '1' }

test('a table shows dollars, aligned columns and no wider lines than the terminal', async () => {
  const { out, text } = terminal(40, NO_COLOR)
  await out.records([
    { id: '1', amount: 2000, description: '家賃 for June' },
    { id: '22', amount: -5, description: 'A very long description that does not fit into the line' },
  ])
  expect(text()).toBe(
    ['ID  AMOUNT  DESCRIPTION', '1    20.00  家賃 for June', '22   -0.05  A very long description tha…', ''].join('\n'),
  )
  for (const line of text().split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(40)
})

test('ids, times and amounts are shown in full: a table leaves out columns that do not fit, empty ones first', async () => {
  const { out, text } = terminal(60, NO_COLOR)
  const record = { type: 'payment', id: '1000011' }
  const row = {
    id: 'evt_1000000_12',
    code: null,
    at: '2026-01-31T12:00:05.123Z',
    record,
    text: 'One two three four five',
  }
  await out.records(
    [{ ...row, count: 5, last: 'a value without blanks'.replaceAll(' ', '_') }],
    [...['id', 'code', 'at', 'record', 'text', 'count', 'last']],
  )
  expect(text()).toBe(
    [
      'ID              AT                    RECORD           COUNT',
      'evt_1000000_12  2026-01-31T12:00:05Z  payment 1000011      5',
      'Not shown for lack of width: TEXT, LAST. --json prints all members.',
      '',
    ].join('\n'),
  )
})

test('a terminal that does not know its width, which says 0, gets a table of 80 columns', async () => {
  const { out, text } = terminal(0, NO_COLOR)
  await out.records([{ id: '1', amount: 2000, description: 'Rent' }])
  expect(text()).toBe(['ID  AMOUNT  DESCRIPTION', '1    20.00  Rent', ''].join('\n'))
})

test('a table of one column is cut where the terminal is narrower still', async () => {
  const { out, text } = terminal(20, NO_COLOR)
  await out.records([{ first: 'x'.repeat(30), second: 'y'.repeat(30) }])
  expect(text().split('\n').slice(0, 2)).toEqual(['FIRST', `${'x'.repeat(19)}…`])
})

test('a record shows inner members by their paths', () => {
  const { out, text } = terminal(80, NO_COLOR)
  out.record({
    id: '1',
    balance: 150050,
    tags: { purpose: 'rent' },
    scopes: ['a', 'b'],
    laws: [{ law: 'one' }],
    none: null,
  })
  expect(
    text()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([
    'id            1',
    'balance       1500.50',
    'tags.purpose  rent',
    'scopes        a, b',
    'laws.0.law    one',
    'none          -',
    '',
  ])
})

test('nothing in a record acts on the terminal', async () => {
  const evil = '\u001b]0;owned\u0007\u009b31m\r\n\u202egnp.exe'
  const { out, text } = terminal(200, NO_COLOR)
  await out.records([{ id: '1', description: evil }])
  out.record({ [evil]: { deep: evil }, list: [evil] })
  out.note(evil)
  terminal(200, NO_COLOR, true).out.record({ evil })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it is about
  expect(text().replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  expect(text()).toContain('\\u001b]0;owned\\u0007\\u009b31m')
  expect(JSON.parse(jsonLine({ evil }))).toEqual({ evil })
  expect(jsonLine({ evil })).not.toContain('\u009b')
})

test('colours follow NO_COLOR and the terminal', async () => {
  const shown = async (environment: NodeJS.ProcessEnv) => {
    const { out, text } = terminal(80, environment)
    await out.records([{ id: '1' }])
    return text()
  }
  expect(await shown({})).toContain('\u001b[1m')
  for (const environment of [NO_COLOR, { TERM: 'dumb' }, { FORCE_COLOR: '1', NO_COLOR: '1' }]) {
    expect(await shown(environment)).not.toContain('\u001b')
  }
})

test('texts are measured in columns and cut between characters', () => {
  expect(['abc', '家賃', 'é', 'e\u0301', '👩‍👩‍👧', '🇩🇪', ''].map(widthOf)).toEqual([3, 4, 1, 1, 2, 2, 0])
  expect(padded('家賃家賃', 4)).toBe('家… ')
  expect(padded('家賃', 4)).toBe('家賃')
  expect(padded('ab', 4, 'right')).toBe('  ab')
  expect(visible('plain')).toBe('plain')
})

test('a pipe gets JSON lines, and a hundred thousand records are shown as they come', async () => {
  let lines = 0
  const write = () => (lines += 1)
  const out = outputTo({ json: false, environment: {}, stdin: {}, stdout: { write }, stderr: { write } })
  async function* many() {
    for (let id = 0; id < 100_000; id++) yield { id }
  }
  await out.records(many())
  expect(lines).toBe(100_000)
})
