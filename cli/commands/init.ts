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
  const { out, dryRun } = call
  const rows: { file: string; state: string }[] = []
  for (const file of Object.keys(files)) rows.push({ file, state: await stateOf(call, file) })
  if (!dryRun) for (const { file, state } of rows) if (state === 'written' || state === 'replaced') write(file)
  await out.records(rows, ['file', 'state'])
  if (dryRun) return
  const missing = ['purser', 'purser-client'].filter((name) => !existsSync(`node_modules/${name}`))
  if (missing.length > 0) out.note(`Install ${missing.join(' and ')} first: docs/testing.md of Purser says how.`)
  out.note(nextSteps)
}

/** The outcome of a file. All questions are asked before anything is written. */
async function stateOf(call: Call, file: string): Promise<string> {
  if (call.dryRun) return 'not written'
  if (!existsSync(file)) return 'written'
  if (readFileSync(file, 'utf8') === files[file]) return 'unchanged'
  return call.options.force === true || (await agrees(call, file)) ? 'replaced' : 'kept'
}

function write(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, files[file] ?? '')
}

/** At most 80 columns wide. */
const nextSteps = `
Run the test:
  node --test
Run the receiver, beside a service that runs in ../purser:
  export PURSER_URL=$(cat ../purser/data/address)
  export PURSER_API_KEY=$(cat ../purser/data/api-key)
  export PURSER_WEBHOOK_SECRET=$(purser listen --print-secret)
  node purser-webhooks.mjs
Forward events to it, in another terminal with these variables:
  purser listen --forward-to localhost:3000`

async function agrees({ out, confirm }: Call, path: string): Promise<boolean> {
  if (!out.interactive) throw new Refusal(`${path} is there and differs: --force replaces it`)
  return confirm(`${path} is there and differs. Replace it?`)
}
