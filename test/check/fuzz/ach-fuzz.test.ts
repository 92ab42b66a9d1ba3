import { expect, test } from 'vitest'
import { readAchFile } from '../../../src/rails/ach/read-file.ts'
import { writeAchFile } from '../../../src/rails/ach/write-file.ts'
import { samples, textOf } from '../../support/rails/ach-files.ts'
import { type Choices, choicesOfTest } from '../../support/random.ts'
import { fastestMs } from '../../support/run/fastest.ts'

const rounds = process.env.SOAK ? 100_000 : 2_000
const texts = Object.values(samples).map(textOf)
const latin1 = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('latin1')

test('a mutated file has faults, or is written and read again as the same file', () => {
  const choices = choicesOfTest()
  const { below, pick } = choices
  const seen = new Map<string, number>()
  const count = (word: string) => seen.set(word, (seen.get(word) ?? 0) + 1)
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(mutated(pick(...texts), choices), below(10) === 0 ? 'latin1' : 'utf8')
    const { file, faults, warnings } = readAchFile(bytes)
    const about = `round ${round}`
    for (const { code, line, column } of [...faults, ...warnings]) {
      count(code)
      if (line < 1 || column < 1 || column > 95) throw new Error(`${about}: ${code} at ${line}:${column}`)
    }
    expect(file === undefined, about).toBe(faults.length > 0)
    if (!file) continue
    const written = writeAchFile(file)
    count(written.bytes ? 'written' : 'refused')
    if (written.bytes) {
      const again = readAchFile(written.bytes)
      expect(again.faults, about).toEqual([])
      expect(again.file, about).toEqual(file)
      // As text, because toEqual takes milliseconds for the bytes of a file.
      expect(latin1(writeAchFile(again.file ?? file).bytes), about).toBe(latin1(written.bytes))
    } else {
      // A letter outside ASCII does not fit; other reasons are those that were flagged on reading.
      const codes = written.findings.map(({ code }) => (code === 'does_not_fit' ? 'not_ascii' : code))
      for (const code of codes)
        expect(
          warnings.map((each) => each.code),
          about,
        ).toContain(code)
    }
  }
  // A test that only ever sees one kind of answer tests little.
  expect(seen.get('written'), JSON.stringify([...seen])).toBeGreaterThan(rounds / 50)
  expect(seen.size, JSON.stringify([...seen])).toBeGreaterThan(30)
})

test.each<[about: string, text: string]>([
  ['10,000 lines of garbage', `${'6'.repeat(94)}\n`.repeat(10_000)],
  ['one line of 10 MB', '1'.repeat(10_000_000)],
  ['10 MB of records without line ends', `101${'x'.repeat(91)}`.repeat(106_000)],
  ['10 MB of blank lines', `101\n${'\n'.repeat(10_000_000)}x`],
  ['10 MB of letters outside ASCII', `1${'\u00fc'.repeat(5_000_000)}`],
  ['100,000 entries', `${(texts[0] ?? '').slice(0, 190)}${(texts[0] ?? '').slice(190, 285).repeat(100_000)}`],
])('%s: the time is in proportion to the size', async (_about, text) => {
  const bytes = Buffer.from(text)
  const ms = await fastestMs(() => expect(readAchFile(bytes).faults.length).toBeGreaterThan(0))
  // 100,000 entries take under a second; quadratic time would take hours.
  expect(ms).toBeLessThan(20_000)
})

/** A text with up to four changes, most of them in one character or one line. */
function mutated(text: string, choices: Choices): string {
  let changed = text
  for (let changes = choices.below(5); changes > 0; changes--) changed = mutation(changed, choices)
  return changed
}

const fragments = [
  '0',
  '1',
  '5',
  '6',
  '7',
  '8',
  '9',
  ' ',
  'A',
  'R',
  'SD1300',
  '099',
  '98',
  '\u00fc',
  '\u{1f600}',
  '\t',
  '\0',
  '\r',
  '\n',
  '9'.repeat(94),
]

function mutation(text: string, { below, pick }: Choices): string {
  const at = below(text.length + 1)
  const lines = text.split('\n')
  const line = below(lines.length)
  const fragment = pick(...fragments)
  const kinds = [
    () => text.slice(0, at) + fragment + text.slice(at + fragment.length),
    () => text.slice(0, at) + String(below(10)) + text.slice(at + 1),
    () => text.slice(0, at) + String.fromCharCode(32 + below(95)) + text.slice(at + 1),
    () => text.slice(0, at) + fragment + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1 + below(4)),
    () => lines.toSpliced(line, 1).join('\n'),
    () => lines.toSpliced(line, 0, pick(...lines)).join('\n'),
    () => lines.toSpliced(line, 1, (lines[line] ?? '').trimEnd()).join('\n'),
    () => text.replaceAll('\n', pick('\r\n', '')),
    () => text.slice(0, at),
  ]
  return pick(...kinds)()
}
