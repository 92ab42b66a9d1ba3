import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSamples } from '../../support/examples/compile.ts'
import { openTestBank, root, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'

let bank: TestBank
let environment: Record<string, string | undefined>

beforeAll(async () => {
  bank = await openTestBank({ webhooks: {}, catalogue: smallCatalogue() })
  const url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  environment = { PATH: process.env.PATH, PURSER_URL: url, PURSER_API_KEY: bank.key }
})
afterAll(() => bank.close())

/** Runs the TypeScript samples of a page as one program, in their order. */
async function run(page: string, ...flags: string[]): Promise<string> {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const { stdout } = await withSamples(blocks.join('\n'), (path) =>
    promisify(execFile)(process.execPath, [...flags, path], { env: environment }).catch(({ stdout, stderr }) => {
      throw new Error(`${page} does not run:\n${stdout}${stderr}`)
    }),
  )
  return stdout
}

test('the samples of docs/client.md compile and run', async () => {
  const output = await run('docs/client.md')
  expect(output).toMatch(/insufficient_funds/)
  expect(output).toMatch(/^true$/m)
  expect(output).toMatch(/payment\.created evt_\d+_\d+\n204$/m)
})

test('the samples of docs/testing.md are tests that pass', async () => {
  const output = await run('docs/testing.md', '--test-reporter=tap')
  expect(output).toMatch(/^# pass 6$/m)
  expect(output).toMatch(/^# fail 0$/m)
})

test('the samples of docs/agents.md run: a message by curl, and an agent that pays once and explains a payment', async () => {
  const output = await run('docs/agents.md')
  expect(output).toMatch(/^true true \d{4}-\d\d-\d\dT\S+Z$/m)
  expect(output).toMatch(/^Returned payment\.created transaction\.created .*payment\.returned/m)
  const text = readFileSync(join(root, 'docs/agents.md'), 'utf8')
  const [curl = ''] = [...text.matchAll(/^```sh\n(curl [\s\S]*?)^```$/gm)].map(([, block]) => block)
  const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env: environment })
  expect(JSON.parse(stdout).result.structuredContent).toMatchObject({ operation: 'listAccounts', status: 200 })
  const [json = ''] = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
  expect(JSON.parse(json).mcpServers.purser.type).toBe('http')
})
