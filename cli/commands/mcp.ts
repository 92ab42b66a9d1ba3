import type { Call, Command } from '../command.ts'
import { printingFetch } from '../curl.ts'

export const mcp: Command = {
  path: 'mcp',
  summary: 'Connects an agent to the service over standard input and output',
  description: `A server of the Model Context Protocol (MCP) for agents that start a program of their own: each line of standard input is a message, which is posted to /mcp of the service with the key in use, and each answer is one line of standard output. Messages for people go to standard error. It ends when its input ends.

An agent that speaks HTTP needs no such program: \`purser agent setup\` connects it to /mcp itself.`,
  group: 'Develop',
  examples: [
    {
      run: `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | purser mcp`,
      does: 'Lists the tools that an agent with this key has',
    },
  ],
  run,
}

/** A message of JSON-RPC, as far as the bridge looks into it. */
interface Message {
  id?: string | number | null
  method?: string
  params?: { name?: unknown; protocolVersion?: unknown; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: unknown }
}

/** If messages go, and the revision of the protocol that client and service have agreed on. */
interface Bridge {
  address: string
  /** The key, and the organisation in which a person acts. */
  caller: Record<string, string>
  revision: string | undefined
  send: typeof fetch
  out: Call['out']
}

/** Longer than every limit of the service, a long poll included. */
const TIMEOUT_MS = 180_000
/** The service takes 1 MiB; a longer line is read no further. */
const MAX_LINE = 4 * 1024 * 1024
const MAX_IN_PROGRESS = 64

async function run(call: Call): Promise<number | undefined> {
  const { settings, out, dryRun } = call
  const address = `${settings.url}/mcp`
  if (dryRun) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as Message
    void post(
      {
        address,
        caller: { 'x-service-api-key': '', ...settings.headers },
        revision: undefined,
        send: printingFetch(out.line, settings.keyInShell),
        out,
      },
      message,
    )
    return
  }
  const caller = { 'x-service-api-key': settings.apiKey(), ...settings.headers }
  const bridge: Bridge = { address, caller, revision: undefined, send: fetch, out }
  const inProgress = new Set<Promise<void>>()
  const signal = call.signal()
  signal.addEventListener('abort', () => process.stdin.destroy())
  try {
    for await (const line of linesOf(process.stdin)) {
      const message = parsed(line)
      const forwarding = forward(bridge, message).finally(() => inProgress.delete(forwarding))
      inProgress.add(forwarding)
      // Later messages name the revision of the protocol that this answer agrees to.
      if (message?.method === 'initialize') await forwarding
      if (inProgress.size >= MAX_IN_PROGRESS) await Promise.race(inProgress)
    }
  } catch (error) {
    if (!signal.aborted) throw error
    return
  }
  await Promise.all(inProgress)
}

/** The lines of a stream; the last one may lack its end. */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  let rest = ''
  for await (const chunk of stream) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line.trim() !== '')
    if (rest.length > MAX_LINE) throw new Error(`a message is longer than ${MAX_LINE} characters`)
  }
  if (rest.trim() !== '') yield rest
}

/** Posts a message and writes the answer. A failure becomes an error of the protocol, so that the agent can go on. */
async function forward(bridge: Bridge, message: Message | undefined): Promise<void> {
  if (!message) return write(failure(null, -32700, 'The line is not a message: a JSON object is expected.'))
  const { id, method } = message
  const isRequest = id !== undefined && id !== null && method !== undefined
  try {
    const answer = await post(bridge, message)
    if (!answer) return
    const { protocolVersion } = (method === 'initialize' && answer.result) || {}
    if (typeof protocolVersion === 'string') bridge.revision = protocolVersion
    write(answer)
  } catch (error) {
    const reason = (error as Error).message
    if (isRequest) write(failure(id, -32000, reason))
    else bridge.out.note(`purser mcp: ${reason}`)
  }
}

async function post(bridge: Bridge, message: Message): Promise<Message | undefined> {
  const { address, caller, send } = bridge
  const response = await send(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...caller,
      ...protocolHeaders(bridge, message),
    },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: Error) => {
    if (error.name === 'TimeoutError') throw new Error(`${address} did not answer in time`)
    throw new Error(`nothing answers at ${address}: \`purser start\` starts the service`)
  })
  const text = await response.text()
  if (response.status === 202) return undefined
  const answer = parsed(text)
  // An error of the protocol may come with a status of its own.
  if (answer && 'jsonrpc' in answer) return answer
  const { code, detail } = (answer ?? {}) as { code?: string; detail?: string }
  throw new Error(
    code ? `${code}: ${detail}` : `${address} answered ${response.status}: is this the address of Purser?`,
  )
}

/** The headers that repeat parts of a message, as the revision of the message wants them. */
function protocolHeaders({ revision }: Bridge, message: Message): Record<string, string> {
  const { method, params } = message
  const claimed = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  if (typeof claimed !== 'string') return revision === undefined ? {} : { 'mcp-protocol-version': revision }
  const name = params?.name
  return {
    'mcp-protocol-version': headerText(claimed),
    ...(method !== undefined && { 'mcp-method': headerText(String(method)) }),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  }
}

/** A text as the protocol writes it into a header. */
function headerText(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

function parsed(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function failure(id: Message['id'], code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
