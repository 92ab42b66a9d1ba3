import type { Operation } from '../../base/operation.ts'
import { areas } from '../openapi/document.ts'
import type { MarkdownPage, MarkdownPages } from './markdown-pages.ts'

/** The page at /llms.txt: the service in a few words, with links to everything that there is to read about it. */
export function indexPage(operations: Operation[], mode: string, { guides, pages }: MarkdownPages): string {
  return `# Purser

> A self-hostable banking and rewards gateway: one HTTP/JSON interface for customers, accounts, cards, payments, statements,
> offers and cash back, on a built-in double-entry bank or on Unit and Kard.

This service runs in ${mode} mode. Every request under \`/v0\` needs an API key in the header \`X-Service-API-Key\`; a sandbox prints
its key when it starts and keeps it in the file \`api-key\` of its data folder. Success is \`{"data": …}\`. A refusal is a problem
(RFC 9457): branch on \`code\`. Amounts are whole cents, times are UTC. A POST with an \`Idempotency-Key\` can be repeated safely.
Lists have pages; follow the header \`Link\` with \`rel="next"\`.

- [OpenAPI document](/openapi.json): all operations as OpenAPI 3.1
- [Errors](/docs/errors): every problem code with its meaning
- [Console](/console): the bank in a browser
- \`POST /mcp\`: the same operations for agents, over the Model Context Protocol

## Guides

${linksOf('/docs/guides', guides)}

## Documentation

${linksOf('/docs', pages)}

${sections(operations).join('\n\n')}
`
}

function linksOf(folder: string, pages: Map<string, MarkdownPage>): string {
  return [...pages.values()].map(({ name, title }) => `- [${title}](${folder}/${name}.md)`).join('\n')
}

function sections(operations: Operation[]): string[] {
  return [...new Set(operations.map(({ area }) => area))].map((area) => {
    const own = operations.filter((operation) => operation.area === area)
    const lines = own.map(
      ({ id, summary, method, path }) => `- [${id}](/docs/${id}.md): ${summary}, \`${method} ${path}\``,
    )
    return `## Operations: ${area}\n\n${areas[area]}.\n\n${lines.join('\n')}`
  })
}
