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

/** The curl command of a request, quoted for a POSIX shell. It reads the key where the command read it. */
function curlOf(address: string, { method = 'GET', headers = {}, body }: PrintedRequest, keyInShell: string): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(address)}`]
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'x-service-api-key') lines.push(`-H "x-service-api-key: ${keyInShell}"`)
    else if (name !== 'accept') lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  if (body !== undefined) lines.push(`--data-raw ${quoted(body)}`)
  return lines.join(' \\\n  ')
}

/** A text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
