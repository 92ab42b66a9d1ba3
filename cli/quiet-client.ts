import { Purser } from '../client/src/index.ts'
import type { Call } from './command.ts'
import { httpFetch } from './http-fetch.ts'

/** A client whose requests the service leaves out of its log: those of a command that looks on would fill it. */
export function quietClient(call: Call): Purser {
  if (call.dryRun) return call.purser()
  const { url, apiKey, headers } = call.settings
  return new Purser({ url, apiKey: apiKey(), fetch: httpFetch, headers: { ...headers, 'x-purser-tool': 'purser' } })
}
