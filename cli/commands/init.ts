import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../../ground/failure.ts'
import type { Call, Command } from '../command.ts'

export const init: Command = {
  path: 'init',
  summary: 'Puts a Compose file, a first test and a webhook receiver into a project',
  description:
    'Writes compose.purser.yaml, test/purser.test.mjs and purser-webhooks.mjs into this folder. Files that are there and differ are replaced only after a question, or with --force. The test needs the test kit and the client, and the receiver the client: docs/testing.md says how to install them.',
  group: 'Develop',
  isLocal: true,
  options: [{ flags: '--force', description: 'Replace files that are there without a question' }],
  examples: [
    { run: 'purser init', does: 'Writes the three files into this folder' },
    { run: 'purser init --dry-run', does: 'Lists the files and writes none' },
  ],
  run,
}

/** The files by their paths. */
const files: Record<string, string> = {
  'compose.purser.yaml': `# A bank beside your app: docker compose -f compose.yaml -f compose.purser.yaml up
# The app takes PURSER_URL=http://purser:4000 and the same PURSER_API_KEY.
services:
  purser:
    build: { context: ../purser, dockerfile: deploy/Dockerfile }
    environment:
      PURSER_API_KEY: a-key-for-this-machine-only
      PURSER_HOSTS: localhost,purser
    ports: ['127.0.0.1:4000:4000']
    volumes: ['purser:/data']
volumes:
  purser:
`,
  'test/purser.test.mjs': `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPurser } from 'purser/testing'

let bank
before(async () => {
  bank = await startPurser()
})
after(() => bank.stop())

test('a payment reduces the balance', async () => {
  const { purser } = await bank.organisation()
  const { accountId, externalAccountId } = await purser.sandbox.scenarios.create({ seed: 1 })
  const earlier = await purser.accounts.get(accountId)
  await purser.payments.create(accountId, {
    amount: 2000,
    counterpartyAccountId: externalAccountId,
    originalType: 'ACH',
    description: 'Lunch',
  })
  const later = await purser.accounts.get(accountId)
  assert.equal(later.balance, earlier.balance - 2000)
})
`,
  'purser-webhooks.mjs': `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isWebhookError, unwrap } from 'purser-client'

// purser listen --print-secret prints a secret for this machine; an endpoint has one of its own.
const secret = process.env.PURSER_WEBHOOK_SECRET
if (!secret) throw new Error('Set PURSER_WEBHOOK_SECRET')

const server = createServer(async (request, response) => {
  try {
    // The signature covers the body as it was sent.
    const event = await unwrap(await buffer(request), request.headers, secret)
    console.log(event.type, event.id)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(isWebhookError(error) ? 400 : 500).end()
  }
})
server.listen(3000, () => console.log('listening on port 3000'))
`,
}

async function run(call: Call): Promise<void> {
  const { out, dryRun, options } = call
  for (const [path, text] of Object.entries(files)) {
    const former = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    const state = former === undefined ? 'written' : former === text ? 'unchanged' : 'replaced'
    const isAllowed = state !== 'replaced' || options.force === true || dryRun || (await agrees(call, path))
    if (isAllowed && state !== 'unchanged' && !dryRun) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    out.record({ file: path, state: isAllowed ? (dryRun ? 'not written' : state) : 'kept' })
  }
  if (dryRun) return
  const missing = ['purser', 'purser-client'].filter((name) => !existsSync(`node_modules/${name}`))
  if (missing.length > 0) out.note(`Install ${missing.join(' and ')} first: see docs/testing.md of Purser`)
  out.note('Test:     node --test')
  out.note('Receiver: PURSER_WEBHOOK_SECRET=$(purser listen --print-secret) node purser-webhooks.mjs')
  out.note('          purser listen --forward-to localhost:3000, in another terminal')
}

async function agrees({ out, confirm }: Call, path: string): Promise<boolean> {
  if (!out.interactive) throw new Refusal(`${path} is there and differs: --force replaces it`)
  return confirm(`${path} is there and differs. Replace it?`)
}
