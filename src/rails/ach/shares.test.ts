import { expect, test } from 'vitest'
import { isTraceIn, MAX_WINDOWS, SHARES, sequenceIn, shareOf, wholeShare } from './shares.ts'

const shares = Array.from({ length: SHARES }, (_, number) => shareOf(number) ?? wholeShare)

test('the modifiers of all shares are the whole ones, each once', () => {
  expect(shares.map(({ modifiers }) => modifiers)).toEqual(['ABCDEFGHI', 'JKLMNOPQR', 'STUVWXYZ0', '123456789'])
  expect(shares.map(({ modifiers }) => modifiers).join('')).toBe(wholeShare.modifiers)
  expect(MAX_WINDOWS).toBe(4)
  expect(shareOf(SHARES)).toBeUndefined()
})

test('a trace number is of the share that gave it out, and of no other', () => {
  for (const share of shares) {
    for (const drawn of [1, 2, 2_499_998, 2_499_999, 2_500_000, 2_500_001, 5_000_000, 9_999_996]) {
      const trace = `81234567${String(sequenceIn(share, drawn)).padStart(7, '0')}`
      expect(trace).toHaveLength(15)
      expect(shares.filter((each) => isTraceIn(each, trace))).toEqual([share])
    }
  }
  expect([1, 2_500_000, 9_999_996].map((drawn) => sequenceIn(wholeShare, drawn))).toEqual([1, 2_500_000, 9_999_996])
})

test('numbers that are drawn one after the other are different in a share, also where the sequence begins again', () => {
  const share = shares[1] ?? wholeShare
  const around = (last: number) => [
    last - 2,
    last - 1,
    last,
    ...(last === 9_999_996 ? [1, 2, 3] : [last + 1, last + 2]),
  ]
  for (const last of [2_499_999, 4_999_998, 9_999_996]) {
    const sequences = around(last).map((drawn) => sequenceIn(share, drawn))
    expect(new Set(sequences).size).toBe(sequences.length)
    expect(sequences.slice(0, 4)).toEqual([4_999_996, 4_999_997, 4_999_998, 2_500_000])
  }
})
