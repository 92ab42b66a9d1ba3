import { setImmediate as nextTurn } from 'node:timers/promises'
import { context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { describe, expect, test } from 'vitest'
import { listenToSpans } from '../../test/support/spans.ts'
import { coalesce } from './coalesce.ts'

interface Row {
  id: number
}

/** A coalesced look-up whose statements are answered by the test. */
function lookUp() {
  const asked: number[][] = []
  const answers: { resolve(rows: Row[]): void; reject(reason: unknown): void }[] = []
  const find = coalesce(
    (row: Row) => row.id,
    (ids: number[]) => {
      asked.push(ids)
      return new Promise<Row[]>((resolve, reject) => answers.push({ resolve, reject }))
    },
  )
  const turn = async () => {
    for (let time = 0; time < 3; time++) await nextTurn()
  }
  const answerNext = async (rows: (ids: number[]) => Row[] = (ids) => ids.map((id) => ({ id }))) => {
    await turn()
    answers.shift()?.resolve(rows(asked.at(-1) ?? []))
    await turn()
  }
  return { asked, answers, find, turn, answerNext }
}

describe('coalesced look-ups', () => {
  test('of one event-loop turn share a statement, and each gets its own row', async () => {
    const { asked, find, answerNext } = lookUp()
    const found = Promise.all([find(1), find(2), find(2), find(3)])
    for (let statement = 0; statement < 4; statement++)
      await answerNext((ids) => ids.filter((id) => id !== 3).map((id) => ({ id })))
    expect(await found).toEqual([{ id: 1 }, { id: 2 }, { id: 2 }, undefined])
    expect(asked.flat()).toEqual([1, 2, 2, 3])
  })

  test('that arrive while a statement runs wait for the next one', async () => {
    const { asked, find, turn, answerNext } = lookUp()
    const first = find(1)
    await turn()
    const second = find(2)
    await turn()
    expect(asked).toEqual([[1]])
    await answerNext()
    expect(asked).toEqual([[1], [2]])
    await answerNext()
    expect(await Promise.all([first, second])).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('take half of the waiting and just answered callers into each statement', async () => {
    const { asked, find, answerNext } = lookUp()
    const arrive = (count: number) => {
      for (let id = 1; id <= count; id++) void find(id)
    }
    arrive(40)
    await answerNext()
    // 20 wait; 12 of the answered callers ask again, then 28 new ones arrive.
    arrive(12)
    await answerNext()
    arrive(28)
    await answerNext()
    expect(asked.map(({ length }) => length)).toEqual([20, 20, 12, 20])
  })

  test('fail together with their statement and leave later look-ups alone', async () => {
    const { answers, find, turn, answerNext } = lookUp()
    const failed = expect(find(1)).rejects.toThrow('gone')
    await turn()
    const next = find(2)
    answers.shift()?.reject(new Error('gone'))
    await failed
    await answerNext()
    expect(await next).toEqual({ id: 2 })
  })

  test('run their statement in the trace of a caller that waits for it', async () => {
    const stop = listenToSpans()
    const caller = createContextKey('caller')
    const seen: unknown[] = []
    const find = coalesce(
      (row: Row) => row.id,
      async (ids: number[]) => {
        seen.push(context.active().getValue(caller))
        return ids.map((id) => ({ id }))
      },
    )
    const askAs = (id: number) => context.with(ROOT_CONTEXT.setValue(caller, id), () => find(id))
    await Promise.all([1, 2, 3, 4].map(askAs))
    stop()
    expect(seen).toEqual([1, 3])
  })
})
