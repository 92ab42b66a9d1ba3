import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { CreateApiKeyRequest, IssuedApiKey, Me } from '../../client/src/index.ts'
import { Refusal } from '../../ground/failure.ts'
import type { Call, Command } from '../command.ts'

type Scope = NonNullable<CreateApiKeyRequest['scopes']>[number]

/** The key of an agent issues no keys: their secrets would stand in its conversation. */
const scopes = [
  'banking:read',
  'banking:write',
  'rewards:read',
  'rewards:write',
  'events:read',
  'webhooks:write',
  'sandbox:write',
  'risk:write',
] as const satisfies Scope[]
const readScopes: Scope[] = ['banking:read', 'rewards:read', 'events:read']
const sandboxScopes: Scope[] = [...scopes.filter((scope) => !scope.endsWith(':read')), 'events:read']

/** The name of the variable that `--env` refers to. */
const VARIABLE = 'PURSER_AGENT_KEY'
const SERVER = 'purser'

export const agentSetup: Command = {
  path: 'agent setup',
  summary: 'Connects an agent in this folder to the service',
  description: `Makes an API key that only the agent uses, and writes .mcp.json, which Claude Code and other agents read. Other servers in that file stay.

In a sandbox the key may do everything except issue keys; in live mode, and with --read-only, it only reads. The file holds the key, so that only you may read it: keep it out of version control. With --env it names the variable ${VARIABLE} instead. \`purser api-keys delete ID\` ends the access.`,
  group: 'Develop',
  options: [
    { flags: '--read-only', description: 'A key that only reads' },
    { flags: '--scope <scope>', description: 'A scope of the key', choices: scopes, repeatable: true },
    { flags: '--name <name>', description: 'Name of the key (default: Agent in <folder>)' },
    { flags: '--expires <time>', description: 'When the key stops working, as an RFC 3339 date-time' },
    { flags: '--file <path>', description: 'The file to write (default: .mcp.json)' },
    { flags: '--env', description: `Refer to the key by the variable ${VARIABLE}, and print it once` },
    { flags: '--stdio', description: 'Let the agent start `purser mcp`, if it cannot use HTTP' },
    { flags: '--force', description: 'Replace the server purser of the file' },
  ],
  examples: [
    { run: 'purser agent setup', does: 'Writes .mcp.json with a key for the agent in this folder' },
    { run: 'purser agent setup --read-only --force', does: 'Replaces it by a key that only reads' },
    { run: 'purser agent setup --file other.json --dry-run', does: 'Shows the file without writing it' },
  ],
  run,
}

/** The content of a file for agents. Members that are not ours are kept. */
interface AgentFile {
  mcpServers?: Record<string, unknown>
}

async function run(call: Call): Promise<void> {
  const { options, settings, out, dryRun } = call
  const path = resolve(String(options.file ?? '.mcp.json'))
  const file = readAgentFile(path, options.force === true)
  const name = String(options.name ?? `Agent in ${basename(process.cwd()) || 'the root folder'}`).slice(0, 255)
  if (dryRun) {
    const chosen = scopesFor(call, { mode: 'sandbox', operations: ['getClock'] })
    out.note(`Would make the API key "${name}" (${chosen.join(', ')}) and write ${path}:`)
    out.line(textOf(file, entryFor(call, 'the-new-key')))
    return
  }
  const client = call.purser()
  const me = await client.me.get()
  const expiresAt = options.expires as string | undefined
  const issued = await client.apiKeys.create({ name, scopes: scopesFor(call, me), ...(expiresAt && { expiresAt }) })
  try {
    const holdsKey = options.env !== true
    writeAgentFile(path, textOf(file, entryFor(call, issued.key)), holdsKey)
  } catch (error) {
    // A key that nobody knows must not stay.
    await client.apiKeys.delete(issued.id)
    throw new Refusal(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}); no key was left behind`)
  }
  const { id, scopes: granted } = issued
  out.record({ file: path, address: settings.url, apiKey: { id, name, scopes: granted, expiresAt: issued.expiresAt } })
  showNextSteps(call, path, me, issued)
}

function showNextSteps({ options, out }: Call, path: string, { mode }: Pick<Me, 'mode'>, { key }: IssuedApiKey): void {
  if (options.env) out.note(`Set the key in the environment of the agent; it is not shown again:\n${VARIABLE}=${key}`)
  else if (isUnignored(path)) out.note(`${basename(path)} holds a key: add it to .gitignore.`)
  if (mode === 'live') out.note('In live mode agents write only if the service runs with PURSER_MCP_WRITES=on.')
  out.note(
    'Start the agent in this folder and allow the server purser. Then ask it, for example: "Show the accounts in Purser."',
  )
}

function scopesFor({ options }: Call, { mode, operations }: Pick<Me, 'mode' | 'operations'>): Scope[] {
  if (options.scope) return options.scope as Scope[]
  if (options.readOnly || mode === 'live') return readScopes
  return operations.includes('getClock') ? sandboxScopes : sandboxScopes.filter((scope) => scope !== 'sandbox:write')
}

function entryFor({ options, settings: { url } }: Call, key: string): object {
  const shown = options.env ? `\${${VARIABLE}}` : key
  if (!options.stdio) return { type: 'http', url: `${url}/mcp`, headers: { 'X-Service-API-Key': shown } }
  const program = [process.argv[1] ?? 'purser', 'mcp']
  return { command: process.execPath, args: program, env: { PURSER_URL: url, PURSER_API_KEY: shown } }
}

function readAgentFile(path: string, force: boolean): AgentFile {
  if (!existsSync(path)) {
    if (!existsSync(dirname(path))) throw new Refusal(`the folder ${dirname(path)} does not exist`)
    return {}
  }
  const file = parsed(path)
  const { mcpServers = {} } = file
  if (!isObject(mcpServers))
    throw new Refusal(`mcpServers in ${path} is not an object: correct it, or name another --file`)
  if (SERVER in mcpServers && !force) {
    throw new Refusal(
      `${path} has a server ${SERVER} already: --force replaces it, and \`purser api-keys list\` shows its key`,
    )
  }
  return file
}

function parsed(path: string): AgentFile {
  const text = textIn(path)
  try {
    const file = JSON.parse(text.trim() === '' ? '{}' : text) as unknown
    if (isObject(file)) return file
  } catch (error) {
    throw new Refusal(`${path} is not JSON (${(error as Error).message}): correct it, or name another --file`)
  }
  throw new Refusal(`${path} is not a JSON object: correct it, or name another --file`)
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Refusal(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}): name another --file`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(file: AgentFile, entry: object): string {
  return `${JSON.stringify({ ...file, mcpServers: { ...file.mcpServers, [SERVER]: entry } }, null, 2)}\n`
}

/** Writes to another name and renames: a file that breaks off half-way would lose the other servers. */
function writeAgentFile(path: string, text: string, holdsKey: boolean): void {
  const target = existsSync(path) ? realpathSync(path) : path
  const temporary = `${target}.${process.pid}`
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    if (!holdsKey) chmodSync(temporary, 0o644)
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Whether git would take the file into a commit. Without git, or outside of a repository, it would not. */
function isUnignored(path: string): boolean {
  return spawnSync('git', ['check-ignore', '-q', basename(path)], { cwd: dirname(path) }).status === 1
}
