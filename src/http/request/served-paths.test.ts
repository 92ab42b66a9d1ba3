import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { operations } from '../../operations.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const call = async (method: string, path: string) => {
  const { status, headers, json } = await bank.call(method, path, { key: null })
  return [status, json?.code, headers.allow]
}

test('Every path refuses the methods that it lacks, and names those that it has', async () => {
  const served = new Map<string, string[]>()
  for (const { method, path, aliases = [] } of operations) {
    for (const spelling of [{ method, path }, ...aliases]) {
      served.set(spelling.path, [...(served.get(spelling.path) ?? []), spelling.method])
    }
  }
  for (const [path, methods] of served) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !methods.includes(one))) {
      const [status, code, allow] = await call(method, path.replace(/:\w+/g, '1'))
      expect([status, code], `${method} ${path}`).toEqual([405, 'method_not_allowed'])
      expect(String(allow).split(', '), `${method} ${path}`).toEqual(expect.arrayContaining(methods))
    }
  }
})

test.each([
  '/v0/banking/accounts/',
  '/v0/banking/accounts?limit=1',
  '/v0/banking/%61ccounts',
  'http://localhost/v0/banking/accounts',
])('A method is refused in every spelling of a path: %s', async (path) => {
  expect(await call('PUT', path)).toEqual([405, 'method_not_allowed', 'POST, GET, HEAD'])
})

test.each(['/v0/banking/account', '/v0/banking/accounts/1/2/3', '/V0/banking/accounts', '/v0/%zz'])(
  'A path that is not served is not found by any method: %s',
  async (path) => {
    for (const method of ['PUT', 'OPTIONS']) expect((await call(method, path))[0], method).toBeOneOf([400, 404])
  },
)

test('A name comes before a parameter in the same place', async () => {
  expect(await call('DELETE', '/docs/guides')).toEqual([405, 'method_not_allowed', 'GET, HEAD'])
  expect((await call('POST', '/console/any/screen'))[0]).toBe(405)
})
