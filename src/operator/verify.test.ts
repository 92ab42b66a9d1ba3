import { expect, test } from 'vitest'
import { runInProcess } from '../../test/support/run/command-line.ts'

const away = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

test.each([
  [['--since', 'yesterday'], /^purser: --since yesterday is no date: write 2026-01-31 or 2026-01-31T08:00:00Z\n$/],
  [['--since', '2026-02-30'], /--since 2026-02-30 is no date/],
  [['--since', '2026-13-01'], /--since 2026-13-01 is no date/],
  [['--since', '2026-01-31T08:00:00'], /--since 2026-01-31T08:00:00 is no date/],
  [['--since', '2026-01-31T25:00:00Z'], /--since 2026-01-31T25:00:00Z is no date/],
  [['--since', ''], /--since {2}is no date/],
  [['--since'], /--since/],
  [['--until', '2026-01-31'], /unknown option '--until'/],
  [['2026-01-31'], /too many arguments/],
])('verify %j is refused before the database is opened', async (words, message) => {
  const { code, stderr } = await runInProcess(['verify', ...words], { environment: away })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})

test.each(['2026-01-31', '2026-01-31T08:00Z', '2026-01-31T08:00:00.5+02:00'])(
  'verify takes --since %s',
  async (date) => {
    // It comes as far as the database.
    expect(await runInProcess(['verify', '--since', date], { environment: away })).toMatchObject({ code: 5 })
  },
)
