import { context, createContextKey, ROOT_CONTEXT } from '@opentelemetry/api'
import { describe, expect, test } from 'vitest'
import { listenToSpans } from '../../../test/support/spans.ts'
import { coalesce } from './parts.ts'

interface Row {
  id: number
}

/** A look-up whose statements are answered by the test. */
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
  const turn = () => new Promise((resolve) => setTimeout(resolve))
  const answerNext = async (rows: (ids: number[]) => Row[] = (ids) => ids.map((id) => ({ id }))) => {
    await turn()
    answers.shift()?.resolve(rows(asked.at(-1) ?? []))
    await turn()
  }
  return { asked, answers, find, turn, answerNext }
}

describe('look-ups', () => {
  test('of one turn go together, and each gets its own row', async () => {
    const { asked, find, answerNext } = lookUp()
    const found = Promise.all([find(1), find(2), find(2), find(3)])
    for (let statement = 0; statement < 4; statement++)
      await answerNext((ids) => ids.filter((id) => id !== 3).map((id) => ({ id })))
    expect(await found).toEqual([{ id: 1 }, { id: 2 }, { id: 2 }, undefined])
    expect(asked.flat()).toEqual([1, 2, 2, 3])
  })

  test('that come meanwhile wait for the one under way', async () => {
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

  test('take half of those who are about: who waits, and who was answered just now', async () => {
    const { asked, find, answerNext } = lookUp()
    const come = (count: number) => {
      for (let id = 1; id <= count; id++) void find(id)
    }
    come(40)
    await answerNext()
    // The other 20 are on their way; 12 of those who were answered ask again, and then 28 come who were not about.
    come(12)
    await answerNext()
    come(28)
    await answerNext()
    expect(asked.map(({ length }) => length)).toEqual([20, 20, 12, 20])
  })

  test('fail for those who asked, and not for whoever comes after', async () => {
    const { answers, find, turn, answerNext } = lookUp()
    const failed = expect(find(1)).rejects.toThrow('gone')
    await turn()
    const next = find(2)
    answers.shift()?.reject(new Error('gone'))
    await failed
    await answerNext()
    expect(await next).toEqual({ id: 2 })
  })

  test('belong to the trace of one who waits for them', async () => {
    const stop = listenToSpans()
    const asker = createContextKey('asker')
    const seen: unknown[] = []
    const find = coalesce(
      (row: Row) => row.id,
      async (ids: number[]) => {
        seen.push(context.active().getValue(asker))
        return ids.map((id) => ({ id }))
      },
    )
    const askAs = (id: number) => context.with(ROOT_CONTEXT.setValue(asker, id), () => find(id))
    await Promise.all([1, 2, 3, 4].map(askAs))
    stop()
    expect(seen).toEqual([1, 3])
  })
})
