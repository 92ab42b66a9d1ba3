import { expect, test } from 'vitest'
import { isKardsError, messagesOf } from './messages.ts'

test.each([
  ['{"errors":["page must be a number","limit too large"]}', ['page must be a number', 'limit too large']],
  ['"User not found"', ['User not found']],
  ['{"message":"Unauthorized"}', ['Unauthorized']],
  ['{"error":"invalid_client"}', ['invalid_client']],
  ['{"error":"invalid_request","error_description":"no grant type"}', ['invalid_request: no grant type']],
  ['{"error":{}}', []],
  ['Service Unavailable', ['Service Unavailable']],
  ['<html><body>502</body></html>', []],
  ['{"errors":[{"title":"x"}]}', ['x']],
  [
    '{"errors":[{"status":"400","title":"Bad Request","detail":"page[size] is too large"}]}',
    ['Bad Request: page[size] is too large'],
  ],
  ['{"errors":[{"title":"Bad Request","detail":"Bad Request"},{"detail":"y"}]}', ['Bad Request', 'y']],
  ['{"errors":[{"title":null,"detail":7},null,7,[]]}', []],
  ['{"errors":"x"}', []],
  ['[]', []],
  ['null', []],
  ['', []],
  ['"two\\nlines"', ['two lines']],
])('the error %s says %j', (body, said) => {
  expect(messagesOf(body, [])).toEqual(said)
})

test('A long error text from Kard is shortened', () => {
  expect(messagesOf(JSON.stringify('x'.repeat(10_000)), [])[0]).toHaveLength(300)
  expect(messagesOf(JSON.stringify({ errors: Array.from({ length: 100 }, String) }), [])).toHaveLength(20)
})

test('An error text from Kard contains no secret, however it is spelled and cut', () => {
  const secrets = ['a"secret', 'x'.repeat(1_000)]
  const body = JSON.stringify({ errors: [`no ${secrets[0]}`, `nor ${secrets[1]}`] })
  expect(messagesOf(body, secrets)).toEqual(['no ***', 'nor ***'])
})

test.each([
  ['{"errors":[{"status":"404","title":"Not Found","detail":"User not found"}]}', true],
  ['{"errors":["limit too large"]}', true],
  ['"User not found"', true],
  ['""', false],
  ['{"errors":[]}', false],
  ['{"message":"Not Found"}', false],
  ['Not Found', false],
  ['<html><body>404</body></html>', false],
  ['null', false],
  ['', false],
])('The error %s is in the form of Kard: %s', (body, isKards) => {
  expect(isKardsError(body)).toBe(isKards)
})
