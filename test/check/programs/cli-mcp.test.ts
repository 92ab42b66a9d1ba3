import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, root, type TestBank } from '../../support/harness.ts'
import { makePayer } from '../../support/ledger.ts'
import { endServices, runPurser, scratchFolder } from '../../support/service.ts'

let bank: TestBank
let url: string
let environment: Record<string, string>

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  environment = { PURSER_URL: url, PURSER_API_KEY: bank.key }
})
afterAll(async () => {
  await endServices()
  await bank.close()
})

/** An agent whose client starts `purser mcp`, as an agent does that cannot use HTTP. */
async function startAgent(mode: 'legacy' | 'auto', env = environment): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const program = { command: process.execPath, args: [join(root, 'bin/purser.js'), 'mcp'], cwd: tmpdir() }
  await client.connect(new StdioClientTransport({ ...program, env: { PATH: process.env.PATH ?? '', ...env } }))
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function use(agent: Client, name: string, args: Record<string, unknown>): Promise<any> {
  return (await agent.callTool({ name, arguments: args })).structuredContent
}

/** The messages that `purser mcp` answers to lines of input. */
async function answers(lines: string[], env = environment) {
  const { code, stdout, stderr } = await runPurser(['mcp'], { environment: env, input: lines.join('\n') })
  const messages = stdout.split('\n').filter(Boolean)
  return { code, stderr, messages: messages.map((line) => JSON.parse(line)) }
}

const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })

describe('purser mcp', () => {
  test.each(['legacy', 'auto'] as const)('lets an agent in the mode %s pay, return and inspect', async (mode) => {
    const { accountId, externalAccountId } = await makePayer(bank, 10_000)
    const agent = await startAgent(mode)
    expect((await agent.listTools()).tools).toHaveLength(6)
    const input = {
      accountId,
      amount: 700,
      counterpartyAccountId: externalAccountId,
      originalType: 'ACH',
      description: 'Rent',
    }
    const call = { operation: 'createPayment', input, intent: `rent by stdio ${mode}` }
    const [paid, again] = await Promise.all([use(agent, 'write', call), use(agent, 'write', call)])
    expect(paid.data.id).toBe(again.data.id)
    await use(agent, 'sandbox', { operation: 'returnPayment', input: { paymentId: paid.data.id, returnCode: 'R01' } })
    const { record, timeLine } = await use(agent, 'inspect', { id: paid.data.id })
    expect([record.status, timeLine.length]).toEqual(['Returned', 2])
    await agent.close()
  })

  test('answers each line, in any order, and ends with its input', async () => {
    const { code, stderr, messages } = await answers([ping(1), '', ping(2), ping(3)])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3])
  })

  test('answers nothing to a notification, and an error to a line that is no message', async () => {
    const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const { code, messages } = await answers([initialized, '{', '[]', 'null', ping(1)])
    expect(code).toBe(0)
    expect(messages.filter(({ error }) => error?.code === -32700)).toHaveLength(3)
    expect(messages.filter(({ id }) => id === 1)).toHaveLength(1)
    expect(messages).toHaveLength(4)
  })

  test('answers an error of the protocol if nothing or something else answers, and goes on', async () => {
    const nothing = await answers([ping(1), ping(2)], {
      PURSER_URL: 'http://127.0.0.1:1',
      PURSER_API_KEY: 'key-of-nobody',
    })
    expect(nothing.code).toBe(0)
    for (const { error } of nothing.messages) expect(error.message).toMatch(/nothing answers at .*purser start/)
    expect(nothing.messages).toHaveLength(2)
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const other = await answers([ping(1)], { PURSER_URL: `http://127.0.0.1:${port}`, PURSER_API_KEY: 'key-of-nobody' })
    server.close()
    expect(other.messages[0].error.message).toMatch(/is this the address of Purser/)
  })

  test('answers an error of the protocol if the key does not work', async () => {
    const { code, messages } = await answers([ping(1)], { ...environment, PURSER_API_KEY: 'key-of-nobody' })
    expect([code, messages[0].id, messages[0].error.message]).toEqual([0, 1, expect.stringMatching(/^unauthorized: /)])
  })

  test('reports a notification that is not delivered on standard error', async () => {
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const { messages, stderr } = await answers([line], { ...environment, PURSER_API_KEY: 'key-of-nobody' })
    expect(messages).toEqual([])
    expect(stderr).toMatch(/^purser mcp: unauthorized: /)
  })

  test('ends by SIGTERM while its input is open', async () => {
    const child = spawn(process.execPath, [join(root, 'bin/purser.js'), 'mcp'], {
      env: { PATH: process.env.PATH, ...environment },
    })
    child.stdin.write(`${ping(1)}\n`)
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [code, signal] = await once(child, 'exit')
    expect([code, signal]).toEqual([130, null])
  })

  test('with --dry-run prints the request that lists the tools', async () => {
    const { code, stdout } = await runPurser(['mcp', '--dry-run'], { environment })
    expect(code).toBe(0)
    expect(stdout).toContain(`curl -X POST ${url}/mcp`)
    expect(stdout).not.toContain(bank.key)
  })
})

describe('purser agent setup', () => {
  /** Runs it in a folder of its own. */
  async function setUp(words: string[] = [], folder = scratchFolder()) {
    const exit = await runPurser(['agent', 'setup', ...words], { environment, cwd: folder })
    const path = join(folder, '.mcp.json')
    const file = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
    return { ...exit, folder, path, file, server: file?.mcpServers?.purser }
  }

  async function keyCount(): Promise<number> {
    return (await bank.call('GET', '/v0/api-keys?limit=100')).json.data.length
  }

  test('writes a file with a key of its own, by which an agent connects', async () => {
    const { code, stdout, stderr, path, server } = await setUp()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/Start the agent in this folder/) })
    const { apiKey } = JSON.parse(stdout)
    expect(apiKey.scopes).toEqual([
      'banking:write',
      'rewards:write',
      'webhooks:write',
      'sandbox:write',
      'risk:write',
      'events:read',
    ])
    expect(apiKey.name).toMatch(/^Agent in purser-service-/)
    expect(server).toEqual({
      type: 'http',
      url: `${url}/mcp`,
      headers: { 'X-Service-API-Key': expect.stringMatching(/^prs_rk_/) },
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(stdout + stderr).not.toContain(server.headers['X-Service-API-Key'])
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } }),
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('write')
    await client.close()
  })

  test('keeps other servers and members of the file, and replaces its own only with --force', async () => {
    const folder = scratchFolder()
    const other = { mcpServers: { files: { command: 'files' } }, more: [1] }
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify(other), { mode: 0o644 })
    const first = await setUp([], folder)
    expect(first.file).toMatchObject(other)
    expect(statSync(first.path).mode & 0o777).toBe(0o600)
    const before = await keyCount()
    const second = await setUp([], folder)
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has a server purser already: --force replaces it/),
    })
    expect(await keyCount()).toBe(before)
    const third = await setUp(['--force', '--read-only'], folder)
    expect(third.file).toMatchObject(other)
    expect(third.server.headers).not.toEqual(first.server.headers)
    expect(JSON.parse(third.stdout).apiKey.scopes).toEqual(['banking:read', 'rewards:read', 'events:read'])
  })

  test.each([
    ['{"mcpServers": {', /\.mcp\.json is not JSON \(.*\): correct it, or name another --file/],
    ['[]', /is not a JSON object/],
    ['{"mcpServers": []}', /mcpServers in .* is not an object/],
  ])('leaves the file %j alone and makes no key', async (text, message) => {
    const folder = scratchFolder()
    writeFileSync(join(folder, '.mcp.json'), text)
    const before = await keyCount()
    const { code, stdout, stderr } = await runPurser(['agent', 'setup'], { environment, cwd: folder })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toBe(text)
    expect(await keyCount()).toBe(before)
  })

  test.runIf(process.platform === 'linux')('leaves no key behind where the file cannot be written', async () => {
    const before = await keyCount()
    // No file can be made there, not even by root.
    const { code, stdout, stderr } = await setUp(['--file', '/proc/mcp.json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^purser: \/proc\/mcp\.json cannot be written \(\w+\); no key was left behind\n$/)
    const missing = await setUp(['--file', 'none/mcp.json'])
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/the folder .*none does not exist/) })
    const isFolder = await setUp(['--file', '/proc'])
    expect(isFolder).toMatchObject({ code: 1, stderr: 'purser: /proc cannot be read (EISDIR): name another --file\n' })
    expect(await keyCount()).toBe(before)
  })

  test('with --env names a variable, and with --stdio the program', async () => {
    const folder = scratchFolder()
    const { server, path, stderr } = await setUp(['--env'], folder)
    expect(server.headers).toEqual({ 'X-Service-API-Key': `\${PURSER_AGENT_KEY}` })
    expect(stderr).toMatch(/PURSER_AGENT_KEY=prs_rk_/)
    expect(statSync(path).mode & 0o777).toBe(0o644)
    const { server: local } = await setUp(['--stdio', '--force', '--scope', 'banking:read'], folder)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StdioClientTransport({ ...local, cwd: tmpdir() }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['describe', 'read', 'inspect', 'docs'])
    await client.close()
  })

  test('reminds of .gitignore if a repository does not ignore the file', async () => {
    const folder = scratchFolder()
    await once(spawn('git', ['init', '-q'], { cwd: folder }), 'close')
    expect((await setUp([], folder)).stderr).toMatch(/holds a key: add it to \.gitignore/)
    writeFileSync(join(folder, '.gitignore'), '.mcp.json\n')
    expect((await setUp(['--force'], folder)).stderr).not.toMatch(/gitignore/)
  })

  test('with --dry-run shows the file and changes nothing', async () => {
    const before = await keyCount()
    const { code, stdout, stderr, file } = await setUp(['--dry-run'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).mcpServers.purser.url).toBe(`${url}/mcp`)
    expect(stderr).toMatch(/Would make the API key .*banking:write.* and write .*\.mcp\.json/)
    expect(file).toBeUndefined()
    expect(await keyCount()).toBe(before)
  })
})
