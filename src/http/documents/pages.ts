import type { Operation } from '../../base/operation.ts'
import { refusals } from '../../base/refusals.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1a2330;background:#fff}
h1{font-size:1.8rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}code,pre{font:14px/1.5 ui-monospace,monospace}
pre{background:#f3f5f8;padding:.8rem 1rem;border-radius:6px;overflow-x:auto}a{color:#0b5cad}p.small{color:#5b6675}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #e3e7ec;vertical-align:top}
:target{background:#fff6d6}@media(prefers-color-scheme:dark){body{color:#e4e9f0;background:#11161d}pre{background:#1b232e}
a{color:#7db8f5}td,th{border-color:#2a3441}p.small{color:#95a1b1}:target{background:#3a3413}}`

export interface About {
  mode: string
  version: string
  operations: Operation[]
  /** The ids of the demo records, by name. */
  demo: Record<string, string | number> | undefined
  /** The host that the page was requested from. */
  host: string
}

/** The page at /: the service's mode and version, and calls to paste into a shell. */
export function landingPage({ mode, version, operations, demo, host }: About): string {
  const served = operations.filter(({ number }) => number !== undefined).length
  const calls = demo ? demoCalls(demo, host) : firstCalls(operations, host)
  return page(
    'Purser',
    `<h1>Purser</h1>
<p>A banking and rewards gateway. Version ${escapeHtml(version)}, mode <b>${escapeHtml(mode)}</b>, ${served} of 22 operations served.</p>
<p><a href="/console"><b>Open the console</b></a></p>
<h2>Try it</h2>
<p>Set <code>KEY</code> to the API key, which the service prints when it starts and keeps in the file <code>api-key</code> of its data folder. Then run:</p>
${calls.map((call) => `<pre>${escapeHtml(call)}</pre>`).join('\n')}
${demo ? `<h2>Demo records</h2>\n${demoTable(demo)}` : ''}
<h2>Documentation</h2>
<p><a href="/console/reference">API reference</a> · <a href="/openapi.json">OpenAPI document</a> · <a href="/docs/errors">Errors</a> · <a href="/llms.txt">Everything as Markdown</a> · <a href="/readyz">Health</a></p>`,
  )
}

const key = `-H "X-Service-API-Key: $KEY"`
const json = `-H 'Content-Type: application/json'`

function demoCalls({ accountId, externalAccountId }: Record<string, string | number>, host: string): string[] {
  return [
    `curl -s ${host}/v0/banking/accounts/${accountId} ${key}`,
    `curl -s "${host}/v0/banking/transactions?accountId=${accountId}" ${key}`,
    `curl -s ${host}/v0/banking/accounts/${accountId}/payments ${key} \\
  ${json} -H "Idempotency-Key: $(date +%s)" \\
  -d '{"amount": 2000, "counterpartyAccountId": "${externalAccountId}", "description": "Lunch", "originalType": "ACH"}'`,
  ]
}

/** The first calls without demo records. Only sandbox mode can create a customer. */
function firstCalls(operations: Operation[], host: string): string[] {
  const sandbox = operations.some(({ area }) => area === 'sandbox')
  const customer = `curl -s ${host}/v0/sandbox/customers ${key} ${json} -d '{"name": "Ada Example"}'`
  const account = `curl -s ${host}/v0/banking/accounts ${key} ${json} -d '{"customerId": "…"}'`
  return sandbox ? [customer, account] : [account]
}

function demoTable(demo: Record<string, string | number>): string {
  const rows = Object.entries(demo).map(
    ([name, id]) => `<tr><td>${escapeHtml(name)}</td><td><code>${escapeHtml(String(id))}</code></td></tr>`,
  )
  return `<table><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

/** The page of errors. A problem's `type` points to the anchor of its code. */
export function errorsPage(): string {
  const rows = Object.entries(refusals).map(([code, refusal]: [string, (typeof refusals)[keyof typeof refusals]]) => {
    const hint = 'sandboxHint' in refusal ? ` In sandbox mode: ${refusal.sandboxHint}` : ''
    return `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${refusal.status}</td><td>${escapeHtml(refusal.detail + hint)}</td></tr>`
  })
  return page(
    'Errors',
    `<h1>Errors</h1>
<p>Every refusal is a problem as RFC 9457 defines it. Programs should branch on <code>code</code>; <code>detail</code> is written for people and may change.</p>
<table><thead><tr><th>code</th><th>status</th><th>meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body>
${body}
</body></html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
