import { expect, test } from 'vitest'
import { runInProcess } from '../../../test/support/run/command-line.ts'

const environment = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
}

test.each([
  [['delete', 'Acme'], /unknown command 'delete'; there are list, create, move, limits/],
  [['list', 'Acme'], /too many arguments/],
  [['create'], /missing required argument 'name'/],
  [['create', ''], /a name has 1 to 255 characters/],
  [['create', 'x'.repeat(256)], /a name has 1 to 255 characters/],
  [['create', 'A\u0000'], /a name has 1 to 255 characters/],
  [['move', 'Acme'], /name the cell with --to, or break a move off with --abort/],
  [['move', '--to', 'east'], /missing required argument 'name'/],
  [['move', 'Acme', '--to', 'east', '--abort'], /name the cell with --to, or break a move off with --abort/],
  [['limits'], /missing required argument 'name'/],
  [['limits', 'Acme', '--day-hard', '1.50'], /--day-hard takes a number of cents/],
  [['limits', 'Acme', '--day-hard', '9007199254740992'], /--day-hard takes a number of cents/],
  [['limits', 'Acme', '--day-soft', '2', '--day-hard', '1'], /--day-soft is above --day-hard/],
  [['limits', 'Acme', '--none', '--day-hard', '1'], /--none takes no limits/],
])('organisations %j is refused', async (words, message) => {
  const { code, stderr } = await runInProcess(['organisations', ...words], { environment })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})

test('organisations takes limits at their edges', async () => {
  const words = ['organisations', 'limits', 'Acme', '--day-soft', '0', '--day-hard', '9007199254740991']
  // It comes as far as the database.
  expect(await runInProcess(words, { environment })).toMatchObject({ code: 5 })
})
