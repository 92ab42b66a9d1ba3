import { expect, test } from 'vitest'
import { pageTarget } from './guides.ts'

test('links between pages lead to their screens, links to other files to none', () => {
  expect(pageTarget('guides', 'webhooks.md#retries')).toBe('/reference/guides/webhooks#retries')
  expect(pageTarget('guides', '../client.md')).toBe('/reference/pages/client')
  expect(pageTarget('guides', '../../client/api.md#cards')).toBe('/reference/pages/client-api#cards')
  expect(pageTarget('', 'guides/unit.md')).toBe('/reference/guides/unit')
  expect(pageTarget('', '../client/api.md')).toBe('/reference/pages/client-api')
  for (const other of [
    '../../src/main.ts',
    '../../README.md',
    '../../examples/rent',
    'javascript:alert(1)',
    '//x.test/a',
  ]) {
    expect(pageTarget('guides', other), other).toBeUndefined()
  }
})
