import type { AnyLookedUp } from '../tools/looked-up.ts'
import type { SearchResult } from '../tools/search.ts'
import { dataResult, refusedCall, type ToolResult } from './answer.ts'
import { type Answered, type Input, UnusableInput } from './call-operation.ts'
import type { Session } from './session.ts'
import { timeLineOf } from './time-line.ts'

/** The arguments of `inspect`. */
export interface Inspected {
  id: string
  type?: string
}

/** Shows a record with its neighbours, the operations on it, and the time line around it. */
export async function inspect(session: Session, { id, type }: Inspected): Promise<ToolResult> {
  try {
    if (type !== undefined) return await inspectOne(session, await look(session, 'lookUpRecord', { type, id }))
    const answered = await look(session, 'lookUpId', { id })
    const records = answered.content as AnyLookedUp[]
    if (answered.status >= 500) return refusal(answered)
    if (answered.status !== 200 || records.length === 0) return await inspectFound(session, id, answered)
    const [first] = records
    if (records.length === 1 && first) return await inspectOne(session, { ...answered, content: first })
    return dataResult({
      headline: `${records.length} records have this id. inspect with type shows the time line of one.`,
      content: { data: records },
    })
  } catch (error) {
    if (error instanceof UnusableInput) return refusedCall(error.message)
    throw error
  }
}

async function inspectOne(session: Session, answered: Answered): Promise<ToolResult> {
  if (answered.status !== 200) return refusal(answered)
  const found = answered.content as AnyLookedUp
  const { steps, next, missing } = await timeLineOf(session, found)
  const gaps = missing.length > 0 ? ` These parts could not be read: ${missing.join('; ')}.` : ''
  return dataResult({
    headline: `The ${found.type} ${JSON.stringify(found.id)}, the records and operations around it, and its time line, oldest first: each step is a request (or the bank itself), the changes with their reasons, its transfers in the ledger, its events and their deliveries.${next ? ' listHistory with the input of nextSteps shows the next steps.' : ''}${gaps}`,
    content: { ...found, timeLine: steps, ...(next && { nextSteps: next }) },
  })
}

/** A text that is no id: a name, a number, an `X-Request-Id` or an idempotency key. */
async function inspectFound(session: Session, text: string, looked: Answered): Promise<ToolResult> {
  const searched = await look(session, 'search', { q: text })
  if (searched.status !== 200) return refusal(looked.status === 200 ? searched : looked)
  const matches = searched.content as SearchResult[]
  const [only] = matches
  if (matches.length === 0) return refusedCall('No record of a type that this key may read has this id or text.')
  if (matches.length === 1 && only) {
    const { type, id } = only
    return inspectOne(session, await look(session, 'lookUpRecord', { type, id }))
  }
  return dataResult({
    headline: `No record has this id; ${matches.length} match the text. inspect with type and id shows one of them.`,
    content: { data: matches },
  })
}

async function look(session: Session, id: string, input: Input): Promise<Answered> {
  const operation = session.operations.find((one) => one.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  return session.call(operation, input, { unlogged: true })
}

function refusal({ status, content }: Answered): ToolResult {
  const problem = (content ?? {}) as { code?: string; type?: string }
  const { type: _page, ...shown } = problem
  return dataResult({
    headline: `The look-up was refused with ${status} ${problem.code ?? ''}.`,
    content: shown,
    isError: true,
  })
}
