import { execFile } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AchFile } from '../../../src/rails/ach/file.ts'
import { root } from '../../support/harness.ts'
import { replaced, samples, textOf } from '../../support/rails/ach-files.ts'
import { scratchFolder } from '../../support/service.ts'

const folder = scratchFolder()
const good = textOf(samples['two credits, one with an addenda'] as AchFile)

/** Runs `purser ach check` and returns its exit code and what it printed. */
function check(...words: string[]): Promise<{ code: number; output: string; errors: string }> {
  const line = [join(root, 'bin/purser.js'), 'ach', 'check', ...words]
  return new Promise((resolve) => {
    execFile(process.execPath, line, { cwd: folder }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output, errors }),
    )
  })
}

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return name
}

test.concurrent('a valid file has a summary and exit code 0, with warnings too', async () => {
  expect(await check(file('good.ach', good))).toEqual({
    ...{ code: 0, errors: '' },
    output: 'valid\n1 batch, 3 entries and addenda, 10 lines; debits 0.00, credits 1250.01\n',
  })
  const { code, output } = await check(file('warning.ach', replaced(good, 2, 70, '260216')))
  expect([code, output.split('\n').slice(0, 2)]).toEqual([
    0,
    ['2:70 closed_day warning: effective date 2026-02-16 is no banking day', 'valid'],
  ])
})

test.concurrent('faults have a line each and exit code 1, and are JSON on demand', async () => {
  const bad = file('bad.ach', replaced(replaced(good, 3, 12, '2'), 7, 13, '5'))
  const lines = [
    '3:12 routing_checksum check digit of "021000022" is wrong',
    '7:8 block_count block count is 5 in the file control, and 1 in the file',
  ]
  expect(await check(bad)).toEqual({ code: 1, errors: '', output: `${lines.join('\n')}\n` })
  const { code, output } = await check(bad, '--json')
  const records = output
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  expect(code).toBe(1)
  expect(records).toMatchObject([
    { severity: 'fault', line: 3, column: 12, code: 'routing_checksum' },
    { severity: 'fault', line: 7, column: 8, code: 'block_count' },
    { valid: false, lines: 10 },
  ])
})

test.concurrent('a file that cannot be one has a clear error', async () => {
  const huge = file('huge.ach', '')
  truncateSync(join(folder, huge), 64 * 1024 * 1024 + 1)
  const binary = file('binary.ach', Buffer.from([0, 1, 2, 3, 0, 0, 5, 6]))
  expect(await check('nowhere.ach')).toMatchObject({ code: 1, errors: 'purser: cannot read nowhere.ach (ENOENT)\n' })
  expect(await check('.')).toMatchObject({ code: 1, errors: 'purser: . is a folder: name an ACH file\n' })
  expect((await check(huge)).errors).toContain('huge.ach has more than 67108864 bytes')
  expect((await check(file('empty.ach', ''))).output).toBe('1:1 empty_file the file has no records\n')
  expect((await check(binary)).output).toBe('1:1 not_text the file is binary: an ACH file is text\n')
  expect((await check()).code).toBe(2)
})
