import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../../test/support/banking-providers.ts'
import { openTestBank, root, type TestBank } from '../../../test/support/harness.ts'
import { operations } from '../../operations.ts'

let bank: TestBank
let live: TestBank
beforeAll(async () => {
  ;[bank, live] = await Promise.all([openTestBank(), openTestBank({ mode: 'live' })])
})
afterAll(() => Promise.all([bank.close(), live.close()]))

const get = (path: string, headers: Record<string, string> = {}) => bank.call('GET', path, { key: null, headers })
const textOf = async (path: string) => (await get(path)).text

test('/docs leads to the reference in the console, and its former document to the present one', async () => {
  for (const [path, target] of [
    ['/docs', '/console/reference'],
    ['/docs/', '/console/reference'],
    ['/docs/json', '/openapi.json'],
  ] as const) {
    const { status, headers } = await get(path)
    expect([status, headers.location], path).toEqual([302, target])
  }
  expect((await bank.call('POST', '/docs')).status).toBe(405)
})

describe('the description of the API', () => {
  test('is sent compressed to those who accept it', async () => {
    const plainText = await get('/openapi.json')
    const { headers } = await get('/openapi.json', { 'accept-encoding': 'gzip' })
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
    expect(Number(headers['content-length'])).toBeLessThan(plainText.text.length / 8)
  })

  test('names operations by their summaries, and closes no list of words that a provider may add to', async () => {
    const { paths, components } = (await get('/openapi.json')).json
    expect(paths['/v0/banking/authorizations'].get).toMatchObject({ summary: 'List authorizations', 'x-number': 'B1' })
    expect(components.schemas.Payment.properties.status.enum).toContain('Sent')
    const examples = paths['/v0/banking/payments'].get.parameters.flatMap(
      ({ name, schema }: { name: string; schema?: { examples?: string[] } }) =>
        ['since', 'until'].includes(name) ? (schema?.examples?.[0] ?? []) : [],
    )
    // Taken together they leave a time between them.
    expect(examples[0] < examples[1]).toBe(true)
    const connected = await openUnitBanking()
    const { json } = await connected.bank.call('GET', '/openapi.json', { key: null })
    await connected.close()
    expect(json.components.schemas.Payment.properties.status).toMatchObject({ type: 'string' })
    expect(json.components.schemas.Payment.properties.status.enum).toBeUndefined()
  })

  test('has a form for generators that know OpenAPI 3.0 only', async () => {
    const document = (await get('/openapi-3.0.json')).json
    expect(document.openapi).toBe('3.0.3')
    expect(document.webhooks).toBeUndefined()
    const text = JSON.stringify(document)
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas, name).toHaveProperty(name)
    }
    // Generators make types of these names themselves.
    const taken = operations.flatMap(({ id }) => [`${id}Response`, `${id}Params`, `${id}JSONRequestBody`])
    const names = Object.keys(document.components.schemas).map((name) => name.toLowerCase())
    expect(taken.filter((name) => names.includes(name.toLowerCase()))).toEqual([])
    expect(newKeywords(document.components.schemas)).toEqual([])
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item as object).map((each) => each.operationId),
    )
    expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  })
})

/** The keywords of schemas that OpenAPI 3.0 does not know. Names of members are not keywords. */
function newKeywords(schemas: object): string[] {
  const unknown = ['const', 'examples', 'propertyNames', 'patternProperties', 'contentEncoding', 'contentMediaType']
  const found = new Set<string>()
  const visit = (schema: Record<string, unknown>) => {
    for (const [keyword, value] of Object.entries(schema)) {
      if (unknown.includes(keyword) || (keyword === 'type' && value === 'null')) found.add(keyword)
      if (keyword === 'properties') Object.values(value as object).forEach(visit)
      else if (keyword === 'items') visit(value as Record<string, unknown>)
      else if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) (value as Record<string, unknown>[]).forEach(visit)
    }
  }
  Object.values(schemas).forEach(visit)
  return [...found]
}

describe('the page of an operation', () => {
  test('shows its parameters, body, answer, problems and calls', async () => {
    const { headers, text } = await get('/docs/createPayment.md')
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(
      /^# Create payment\n\n`POST \/v0\/banking\/accounts\/:accountId\/payments`, operation id `createPayment`\. The key needs `banking:write`\.\n\nSends money/,
    )
    expect(text).toContain(
      '\n## Parameters\n\n- `accountId` (string, length at least `1`, required): Id of the account\n',
    )
    expect(text).toMatch(/\n## Body\n\n- `amount` \(integer, at least `1`, at most `\d+`, required\): /)
    expect(text).toMatch(/\n## Answer\n\n201 with `\{"data": …\}`, a record:\n\n- `id` \(string, required\): /)
    expect(text).toMatch(/\n- `counterparty` \(.*\).*\n {2}- `name` \(/)
    expect(text).toMatch(/\n- `insufficient_funds` \(422\): .+\n/)
    expect(text).toMatch(/\n- as everywhere: .*`rate_limited`/)
    expect(text).toContain(`KEY=payments-create-$(date +%s)  # a retry keeps it
curl -X POST "$PURSER_URL/v0/banking/accounts/1000017/payments" \\
  -H "X-Service-API-Key: $PURSER_API_KEY" \\
  -H "Idempotency-Key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"amount":90000,`)
    expect(text).toContain("\nconsole.log(await purser.payments.create('1000017', {\n  amount: 90000,")
    expect(text).toContain('\npurser payments create 1000017 --amount 90000 ')
  })

  test('exists for every operation, and names all its members and codes', async () => {
    const { components, paths } = (await get('/openapi.json')).json
    for (const { id, summary, method, path, problems, status, contentType, resource, verb } of operations) {
      const text = await textOf(`/docs/${id}.md`)
      expect(text.startsWith(`# ${summary}\n\n\`${method} ${path}\``), id).toBe(true)
      expect(text, id).not.toMatch(/undefined|\[object|\$ref|any value/)
      expect(text.length, id).toBeLessThan(60_000)
      for (const code of problems) expect(text, id).toContain(`\n- \`${code}\` (`)
      expect(text, id).toContain(`purser.${resource}.${verb}(`)
      const { parameters, requestBody } = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
      const names = parameters.map(
        ({ name, $ref = '' }: { name?: string; $ref?: string }) => name ?? $ref.split('/').at(-1),
      )
      const reference = requestBody?.content['application/json'].schema.$ref.split('/').at(-1)
      const members = Object.keys(components.schemas[reference]?.properties ?? {})
      for (const name of [...names, ...members.filter((each) => each !== 'idempotencyKey')])
        expect(text, id).toContain(`- \`${name}\` (`)
      expect(text.includes('\n## Answer\n\n204 without'), id).toBe(status === 204)
      const types = contentType === undefined ? [] : [contentType].flat().map((type) => `\`${type}\``)
      expect(text.includes(`a file of the type ${types.join(', ')}.`), id).toBe(types.length > 0)
    }
  })

  test('is the same text until the service changes, which a cache asks for by its tag', async () => {
    const { headers } = await get('/docs/getCard.md')
    expect(await get('/docs/getCard.md', { 'if-none-match': String(headers.etag) })).toMatchObject({ status: 304 })
  })

  test('does not exist for an operation that is not served, or under another name', async () => {
    const refused = await live.call('GET', '/docs/createScenario.md', { key: null })
    expect([refused.status, refused.json.code]).toEqual([404, 'route_not_found'])
    const odd = [
      'createPayment',
      'createPayment.html',
      '.md',
      'toString.md',
      '__proto__.md',
      'schema.md',
      '..%2fREADME.md',
    ]
    for (const page of [
      ...odd,
      'guides/none.md',
      'guides/..%2fcli.md',
      'guides/first-payment',
      `${'x'.repeat(9_000)}.md`,
    ]) {
      const { status, json } = await get(`/docs/${page}`)
      expect([status, json.code], page).toEqual([404, 'route_not_found'])
    }
  })
})

describe('/llms.txt', () => {
  test('lists every operation, guide and page, and each link leads to a page', async () => {
    const { headers, text } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text).toMatch(/^# Purser\n\n> A self-hostable banking and rewards gateway/)
    expect(text).toContain('`X-Service-API-Key`')
    const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, link = '']) => link)
    expect(links).toEqual(expect.arrayContaining(operations.map(({ id }) => `/docs/${id}.md`)))
    expect(links).toEqual(expect.arrayContaining(['/docs/client-api.md', '/docs/webhooks.md', '/console']))
    expect(new Set(links).size).toBe(links.length)
    for (const link of links) expect((await get(link)).status, link).toBe(200)
  })

  test('has no operation of a sandbox in live mode', async () => {
    const { text } = await live.call('GET', '/llms.txt', { key: null })
    expect(text).toContain('This service runs in live mode')
    expect(text).toContain('/docs/createPayment.md')
    expect(text).not.toContain('createScenario')
  })
})

test('/docs/guides lists the guides with their titles, and each is served as it is written', async () => {
  const { json } = await get('/docs/guides')
  const files = readdirSync(join(root, 'docs/guides')).filter((file) => file.endsWith('.md'))
  expect(json.map(({ name }: { name: string }) => `${name}.md`)).toEqual(files.toSorted())
  for (const { name, title } of json)
    expect(await textOf(`/docs/guides/${name}.md`)).toMatch(new RegExp(`^# ${title}\n`))
})
