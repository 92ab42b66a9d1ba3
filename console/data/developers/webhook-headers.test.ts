import { expect, test } from 'vitest'
import { headersIn } from './webhook-headers.ts'

const headers = {
  'webhook-id': 'evt_1_2',
  'webhook-timestamp': '1794870354',
  'webhook-signature': 'v1,K5oZ+/w= v1,abc=',
}

test('headers are found in lines, whatever their case', () => {
  const text =
    'Content-Type: application/json\nWebhook-Id: evt_1_2\nwebhook-timestamp:1794870354\r\nwebhook-signature: v1,K5oZ+/w= v1,abc='
  expect(headersIn(text)).toEqual(headers)
})

test('headers are found in JSON and in an object of JavaScript', () => {
  expect(headersIn(JSON.stringify({ ...headers, host: 'x' }))).toEqual(headers)
  expect(
    headersIn(
      "{\n  'webhook-id': 'evt_1_2',\n  'webhook-timestamp': '1794870354',\n  'webhook-signature': 'v1,K5oZ+/w= v1,abc=',\n}",
    ),
  ).toEqual(headers)
})

test('a text without them has none', () => {
  expect(headersIn('')).toEqual({})
  expect(headersIn('null')).toEqual({})
  expect(headersIn('host: example.com')).toEqual({})
})
