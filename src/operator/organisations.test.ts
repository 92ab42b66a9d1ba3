import { expect, test } from 'vitest'
import { organisations } from './organisations.ts'

test.each([
  [[], /usage: purser organisations limits/],
  [['delete', 'Acme'], /usage: purser organisations limits/],
  [['limits'], /usage: purser organisations limits/],
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
