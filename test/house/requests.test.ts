import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations.ts'
import { openTestBank, type Reply, root, type TestBank } from '../support/harness.ts'
import { smallCatalogue } from '../support/offers.ts'

interface Request {
  title: string
  /** The name by which later requests use its answer. */
  name: string | undefined
  method: string
  target: string
  body: string | undefined
}

const requests = readRequests(readFileSync(join(root, 'requests.http'), 'utf8'))

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue(), review: 'manual' })
})
afterAll(() => bank.close())

test('requests.http holds every interface operation that is served', () => {
  const numbers = operations.flatMap(({ number, summary }) => (number ? [`${number} ${summary}`] : []))
  expect(requests.map(({ title }) => title)).toEqual(expect.arrayContaining(numbers))
})

test('requests.http holds the operations of reviewers, processors, limits and holds', () => {
  const shown = new Set(requests.map(({ method, target }) => `${method} ${plain(target.replace(/\?.*/, ''))}`))
  const sought = operations.filter(({ path }) => /review|processor|limits|holds|\/batch$|transfers$/.test(path))
  // The screening alone leaves an external account to a reviewer, and only a payment that leaves with a file can be stopped.
  const missing = sought.filter(
    ({ method, path }) => !/external-accounts\/:|\/stop$/.test(path) && !shown.has(`${method} ${plain(path)}`),
  )
  expect(missing.map(({ id }) => id)).toEqual([])
})

test('every request in it succeeds, in the order of the file, on the ids of those before it', async () => {
  const named = new Map<string, unknown>()
  for (const request of requests) {
    const fill = (text: string) =>
      text.replace(/\{\{(\w+)\.response\.body\.data\.(\w+)\}\}/g, (_, name, field) => value(named, name, field))
    const reply: Reply = await bank.call(request.method, fill(request.target), {
      ...(request.body !== undefined && { raw: fill(request.body) }),
    })
    expect(reply.status, `${request.title}: ${reply.text}`).toBeLessThan(300)
    if (request.name) named.set(request.name, reply.json.data)
  }
})

/** A path whose ids are all the same. */
function plain(path: string): string {
  return path.replace(/:\w+|\{\{[^}]+\}\}/g, ':id')
}

function value(named: Map<string, unknown>, name: string, field: string): string {
  const found = (named.get(name) as Record<string, string> | undefined)?.[field]
  if (!found) throw new Error(`no ${name}.${field} was answered`)
  return found
}

function readRequests(text: string): Request[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const name = lines.find((line) => line.startsWith('# @name '))?.slice('# @name '.length)
      const content = lines.filter((line) => !line.startsWith('#'))
      const first = content.findIndex((line) => line.trim() !== '')
      const blank = content.findIndex((line, at) => at > first && line.trim() === '')
      const [method = '', url = ''] = (content[first] ?? '').split(' ')
      const body = blank < 0 ? '' : content.slice(blank).join('\n').trim()
      return { title, name, method, target: url.replace('{{base}}', ''), body: body === '' ? undefined : body }
    })
}
