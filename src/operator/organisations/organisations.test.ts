import { expect, test } from 'vitest'
import { organisations } from './organisations.ts'

test.each([
  [[], /purser organisations limits NAME/],
  [['delete', 'Acme'], /purser organisations limits NAME/],
  [['list', 'Acme'], /purser organisations list/],
  [['create'], /purser organisations create NAME/],
  [['create', ''], /a name has 1 to 255 characters/],
  [['create', 'x'.repeat(256)], /a name has 1 to 255 characters/],
  [['create', 'A\u0000'], /a name has 1 to 255 characters/],
  [['move', 'Acme'], /purser organisations move NAME --to CELL/],
  [['move', '--to', 'east'], /purser organisations move NAME --to CELL/],
  [['move', 'Acme', '--to', 'east', '--abort'], /purser organisations move NAME --abort/],
  [['limits'], /purser organisations limits NAME/],
  [['limits', 'Acme', '--day-hard', '1.50'], /--day-hard takes a number of cents/],
  [['limits', 'Acme', '--day-hard', '9007199254740992'], /--day-hard takes a number of cents/],
  [['limits', 'Acme', '--day-soft', '2', '--day-hard', '1'], /--day-soft is above --day-hard/],
  [['limits', 'Acme', '--none', '--day-hard', '1'], /--none takes no limits/],
])('organisations %j is refused', (args, message) => {
  expect(() => organisations(args)).toThrow(message)
})

test('organisations takes limits at their edges', () => {
  expect(() => organisations(['limits', 'Acme', '--day-soft', '0', '--day-hard', '9007199254740991'])).not.toThrow()
})
