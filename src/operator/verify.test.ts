import { expect, test } from 'vitest'
import { verify } from './verify.ts'

test.each([
  [['--since', 'yesterday'], /^--since yesterday is no date: write 2026-01-31 or 2026-01-31T08:00:00Z\nusage: /],
  [['--since', '2026-02-30'], /^--since 2026-02-30 is no date/],
  [['--since', '2026-13-01'], /^--since 2026-13-01 is no date/],
  [['--since', '2026-01-31T08:00:00'], /^--since 2026-01-31T08:00:00 is no date/],
  [['--since', '2026-01-31T25:00:00Z'], /^--since 2026-01-31T25:00:00Z is no date/],
  [['--since', ''], /^--since {2}is no date/],
  [['--since'], /--since/],
  [['--until', '2026-01-31'], /usage: purser verify \[--since DATE\]/],
  [['2026-01-31'], /^usage: purser verify \[--since DATE\]$/],
])('verify %j is refused before the database is opened', (args, message) => {
  expect(() => verify(args)).toThrow(message)
})

test.each(['2026-01-31', '2026-01-31T08:00Z', '2026-01-31T08:00:00.5+02:00'])('verify takes --since %s', (date) => {
  expect(verify(['--since', date])).toBeTypeOf('function')
})
