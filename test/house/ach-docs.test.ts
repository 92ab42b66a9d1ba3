import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explanations } from '../../src/rails/ach/findings.ts'
import { root } from '../support/harness.ts'

test('docs/ach.md lists every fault and warning with its explanation', () => {
  const page = readFileSync(join(root, 'docs/ach.md'), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+` \|/.test(line))
  const expected = [explanations.fault, explanations.warning].flatMap((codes) =>
    Object.entries(codes).map(([code, text]) => `| \`${code}\` | ${text} |`),
  )
  expect(rows).toEqual(expected)
})
