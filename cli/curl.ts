import { curlCommand } from '../ground/snippets.ts'
import { shellWord } from '../ground/text.ts'

/** A `fetch` that gives each request to `print` as a curl command, sends nothing and never answers. */
export function printingFetch(print: (text: string) => void, keyInShell: string): typeof fetch {
  return (address, init = {}) => {
    print(curlOf(String(address), init as PrintedRequest, keyInShell))
    return new Promise(() => undefined)
  }
}

interface PrintedRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** The curl command of a request. It reads the key where the command read it. */
function curlOf(address: string, { method = 'GET', headers = {}, body }: PrintedRequest, keyInShell: string): string {
  const words = Object.entries(headers).flatMap(([name, value]) => {
    if (name === 'accept') return []
    return [name === 'x-service-api-key' ? `"${name}: ${keyInShell}"` : shellWord(`${name}: ${value}`)]
  })
  return curlCommand({ method, address: shellWord(address), headers: words, body })
}
