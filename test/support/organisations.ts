import type { Reply, TestBank } from './harness.ts'

export interface MadeOrganisation {
  id: string
  name: string
  createdAt: string
  frozen: boolean
  key: string
}

/** A bank in this process, or a service as a process of its own. */
interface Callable {
  call(method: string, path: string, options: { body: unknown }): Promise<Pick<Reply, 'status' | 'text' | 'json'>>
}

/** Makes an organisation of its own, with its full key. */
export async function makeSandboxOrganisation(
  bank: Callable,
  body: Record<string, unknown> = {},
): Promise<MadeOrganisation> {
  const { status, text, json } = await bank.call('POST', '/v0/sandbox/organisations', { body })
  if (status !== 201) throw new Error(`POST /v0/sandbox/organisations answered ${status}: ${text}`)
  const { apiKey, ...organisation } = json.data
  return { ...organisation, key: apiKey.key }
}

/** Creates a fault rule, and returns it. */
export async function makeFaultRule(
  bank: Pick<TestBank, 'call' | 'key'>,
  rule: Record<string, unknown>,
  key: string = bank.key,
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
): Promise<any> {
  const { status, text, json } = await bank.call('POST', '/v0/sandbox/faults', { body: rule, key })
  if (status !== 201) throw new Error(`POST /v0/sandbox/faults answered ${status}: ${text}`)
  return json.data
}
