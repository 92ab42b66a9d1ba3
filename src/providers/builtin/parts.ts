import { type Context, context } from '@opentelemetry/api'

/**
 * Look-ups that come while one is on its way become one statement when that one is back. It takes half of those who wait
 * and of those who were answered last, so that the database works for one half while the service writes to the other:
 * whoever waits is in the next statement or in the one after.
 */
export function coalesce<Key, Row>(
  keyOf: (row: Row) => Key,
  findMany: (keys: Key[]) => Promise<Row[]>,
): (key: Key) => Promise<Row | undefined> {
  const waiting: Question<Key, Row>[] = []
  let busy = false
  let answeredLast = 0

  async function answerAll(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      await new Promise<void>(setImmediate)
      const questions = waiting.splice(0, Math.ceil((waiting.length + answeredLast) / 2))
      await answerTogether(questions)
      answeredLast = questions.length
    }
    busy = false
  }

  async function answerTogether(questions: Question<Key, Row>[]): Promise<void> {
    try {
      const keys = questions.map(({ key }) => key)
      // In the trace of one who waits for it, and not of the one who found nothing under way, long ago.
      const found = await context.with(questions[0]?.from ?? context.active(), () => findMany(keys))
      const rows = new Map(found.map((row) => [keyOf(row), row]))
      for (const { key, answer } of questions) answer(rows.get(key))
    } catch (error) {
      for (const { refuse } of questions) refuse(error)
    }
  }

  return (key) =>
    new Promise((answer, refuse) => {
      waiting.push({ key, answer, refuse, from: context.active() })
      if (!busy) void answerAll()
    })
}

interface Question<Key, Row> {
  key: Key
  answer(row: Row | undefined): void
  refuse(reason: unknown): void
  from: Context
}
