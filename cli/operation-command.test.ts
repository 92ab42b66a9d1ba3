import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliFiles } from '../scripts/cli/files.ts'
import { operations } from '../src/operations.ts'
import { root } from '../test/support/harness.ts'
import { operationCommands } from './generated/operations.ts'
import { commandOf } from './operation-command.ts'
import { globalOptions } from './program.ts'

test('the generated files and the page are those of the commands', async () => {
  for (const [path, text] of Object.entries(await cliFiles())) {
    expect(readFileSync(join(root, path), 'utf8'), 'run npm run cli').toBe(text)
  }
})

test('the tables of reviewers have the columns that a decision needs', () => {
  const columnsOf = (id: string) => operationCommands.find((each) => each.id === id)?.columns
  expect(columnsOf('listReviewPayments')).toEqual(expect.arrayContaining(['amount', 'reviewReason', 'accountId']))
  expect(columnsOf('listReviewApplications')).toEqual(expect.arrayContaining(['name', 'screening']))
})

test('every operation has a command, with flags of different names', () => {
  expect(operationCommands.map(({ id }) => id).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  const long = ({ flags }: { flags: string }) => /--([\w.-]+)/.exec(flags)?.[1] ?? ''
  for (const { path, options = [] } of operationCommands.map(commandOf)) {
    const names = [...globalOptions, ...options, { flags: '--help' }, { flags: '--version' }].map(long)
    expect(new Set(names).size, path).toBe(names.length)
    expect(
      names.filter((name) => name.startsWith('no-')),
      path,
    ).toEqual([])
  }
})
