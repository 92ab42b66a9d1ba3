import { exitCodes, NotAllowed, Refusal } from '../../ground/failure.ts'
import type { Call } from '../command.ts'
import { printingFetch } from '../curl.ts'
import { httpFetch } from '../http-fetch.ts'

const TIMEOUT_MS = 30_000

interface SessionRequest {
  body?: Record<string, string>
  headers?: Record<string, string>
}

/** Asks the service about sessions of persons, which are no part of its interface. Rejects with the refusal. */
export async function askSession<Data>(
  { settings: { url, keyInShell }, dryRun, out }: Call,
  what: string,
  { body = {}, headers }: SessionRequest = {},
): Promise<Data> {
  const address = `${url}/session/${what}`
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  if (dryRun) return printingFetch(out.line, keyInShell)(address, request) as Promise<never>
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await httpFetch(address, { ...request, signal }).catch((cause: unknown) => {
    const message = `nothing answers at ${url}. \`purser start\` starts the service; --server names another address`
    throw new Refusal(message, { code: exitCodes.retry, cause })
  })
  const answer = parsed(Buffer.from(await response.arrayBuffer()).toString('utf8'))
  if (response.ok) return answer.data as Data
  const reason = answer.detail ?? `${url} answered ${response.status}`
  if (response.status === 401 || response.status === 403) throw new NotAllowed(reason)
  const code = response.status === 429 || response.status >= 500 ? exitCodes.retry : exitCodes.refused
  throw new Refusal(reason, { code })
}

function parsed(text: string): { data?: unknown; detail?: string } {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
