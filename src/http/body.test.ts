import { expect, test } from 'vitest'
import { Problem } from '../base/problem.ts'
import { bodyReader } from './body.ts'

const headers = { 'content-type': 'application/json' }
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('bodies of one turn are taken up in their order, a bad one among them too, and none before the turn ends', async () => {
  const read = bodyReader()
  const taken: unknown[] = []
  const take = (text: string) => read({ headers }, Buffer.from(text), (error, body) => taken.push(error ?? body))
  take('{"number":1}')
  take('{"number":')
  take('{"number":3}')
  expect(taken).toEqual([])
  await nextTurn()
  expect(taken).toEqual([{ number: 1 }, expect.any(Problem), { number: 3 }])

  take('{"number":4}')
  await nextTurn()
  expect(taken.slice(3)).toEqual([{ number: 4 }])
})
