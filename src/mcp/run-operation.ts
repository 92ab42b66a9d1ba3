import type { Operation } from '../base/operation.ts'
import { unknownMessage } from '../http/request/faults.ts'
import { dataResult, refusedCall, type ToolResult } from './answer.ts'
import { type Answered, AnswerLost, type Input, UnusableInput } from './call-operation.ts'
import { countThatFits, MAX_BYTES, pickFields, sizeOf } from './fit.ts'
import { keyOfIntent } from './intent.ts'
import { type CallingTool, isEnding, operationsOf, type Session, toolOf } from './session.ts'

/** The arguments of `read`, `write` and `sandbox`. */
export interface OperationCall {
  operation: string
  input?: Input
  intent?: string
  fields?: string[]
  skip?: number
}

/** Runs an operation by the tool that it belongs to. */
export async function runOperation(session: Session, tool: CallingTool, call: OperationCall): Promise<ToolResult> {
  const operation = operationsOf(session, tool).find(({ id }) => id === call.operation)
  if (!operation) return refusedCall(absence(session, tool, call.operation))
  const { input = {}, intent } = call
  const idempotencyKey = intent === undefined ? undefined : keyOfIntent(operation, intent, session.organisationId)
  try {
    const answered = await session.call(operation, input, { idempotencyKey })
    if (answered.status >= 400) return dataResult(refusal(operation, call, answered))
    return dataResult(await success(session, operation, call, answered))
  } catch (error) {
    if (error instanceof UnusableInput) {
      return refusedCall(`${error.message}. describe {"operation":"${operation.id}"} shows the input.`)
    }
    if (error instanceof AnswerLost) return refusedCall(lostAnswer(operation, call))
    throw error
  }
}

/** Why a tool lacks an operation: it ends the bank, belongs to another tool, is not allowed to the key, or does not exist. */
function absence(session: Session, tool: CallingTool, id: string): string {
  const elsewhere = session.operations.find((operation) => operation.id === id)
  if (isEnding(id)) return `${id} ends the whole bank and is not for agents: the user can run \`purser api ${id}\`.`
  if (elsewhere) return `${id} belongs to the tool ${toolOf(elsewhere)}.`
  const names = operationsOf(session, tool).map((operation) => operation.id)
  return `${unknownMessage(id, names)}. describe lists the operations that this key may call.`
}

async function success(session: Session, operation: Operation, call: OperationCall, answered: Answered) {
  const { status, requestId, replayed, content, total, omitted, fault } = answered
  const fields = call.fields ?? []
  const data = fields.length > 0 ? pickFields(content, fields) : content
  const shown = Array.isArray(data)
    ? await fittingPage(session, operation, call, { ...answered, content: data })
    : fittingRecord(operation, call, data)
  return {
    headline: replayed ? replayLine(operation, replayed.storedAt) : `${operation.id} answered ${status}.`,
    content: {
      operation: operation.id,
      status,
      requestId,
      ...(replayed && { replayed: true, firstAnsweredAt: replayed.storedAt ?? 'a moment ago' }),
      ...(total !== undefined && { total }),
      ...(omitted !== undefined && { omitted }),
      ...(fault !== undefined && { fault }),
      ...shown,
    },
  }
}

function replayLine({ id }: Operation, storedAt: string | undefined): string {
  const first = storedAt ? `on ${storedAt}` : 'a moment ago'
  return `${id} was already done ${first} under this intent. This is the answer of that call; nothing was done again.`
}

/** The room beside the data: names, ids and the next call. */
const AROUND = 1_500

/** The records that fit, and the call that gets the others. */
async function fittingPage(session: Session, operation: Operation, call: OperationCall, answered: Answered) {
  const { operation: id, input = {}, fields, skip = 0 } = call
  const records = (answered.content as unknown[]).slice(skip)
  const more = { ...(fields && { fields }) }
  const count = countThatFits(records, MAX_BYTES - AROUND)
  if (count === records.length) {
    return { data: records, ...(answered.next && { next: { operation: id, input: answered.next, ...more } }) }
  }
  const shown = Math.max(count, 1)
  const cut = `${shown} of ${records.length} records fit into 20 KB; next gets the others, and fields makes them smaller`
  const data = records.slice(0, shown)
  const smaller = operation.query?.properties.limit && skip === 0 ? await pageOf(session, operation, input, shown) : {}
  if (smaller.next) return { data, cut, next: { operation: id, input: smaller.next, ...more } }
  return { data, cut, next: { operation: id, input, skip: skip + shown, ...more } }
}

/** The next page of a page with fewer records: its position is exact, also if new records arrive. */
async function pageOf(session: Session, operation: Operation, input: Input, limit: number): Promise<{ next?: Input }> {
  const { next } = await session.call(operation, { ...input, limit }, { unlogged: true })
  return next ? { next } : {}
}

function fittingRecord({ id }: Operation, { input, fields = [] }: OperationCall, data: unknown) {
  if (sizeOf(data) <= MAX_BYTES - AROUND || typeof data !== 'object' || data === null) return { data }
  const names = Object.keys(data)
  const cut = `The record does not fit into 20 KB. Members are cut if they say so; fields gets some of them alone${
    fields.length > 0 ? ', also by a path such as a.b' : `: ${names.join(', ')}`
  }`
  const largest = names.reduce((one, other) =>
    sizeOf(memberOf(data, other)) > sizeOf(memberOf(data, one)) ? other : one,
  )
  return { data, cut, next: { operation: id, ...(input && { input }), fields: [largest] } }
}

function memberOf(data: object, name: string): unknown {
  return (data as Record<string, unknown>)[name]
}

function refusal(operation: Operation, call: OperationCall, { status, content, retryAfter, fault }: Answered) {
  const { type: _page, ...problem } = (content ?? {}) as { type?: string; code?: string }
  return {
    headline: `${operation.id} was refused with ${status}${problem.code ? ` ${problem.code}` : ''}. ${adviceOn(problem.code, operation, call, retryAfter)}`,
    content: { operation: operation.id, ...problem, ...(retryAfter && { retryAfter }), ...(fault && { fault }) },
    isError: true,
  }
}

/** The next step after a refusal. */
function adviceOn(code: string | undefined, { id }: Operation, call: OperationCall, retryAfter = 1): string {
  const again = call.intent === undefined ? 'Call again' : 'Call again with the same intent and the same input'
  switch (code) {
    case 'idempotency_key_reused':
      return `This intent was used for ${id} with another input, and that call stands. Repeat its input to see its answer, or name another intent if another change is wanted.`
    case 'idempotency_in_progress':
      return `The first call with this intent is still running. ${again} in ${retryAfter} s.`
    case 'outcome_unknown':
      return call.intent === undefined
        ? 'The change may have taken effect: look at the record first.'
        : `The change may have taken effect. ${again}: it is done once.`
    case 'upstream_outcome_unknown':
      return 'The change may have taken effect at the provider: look at the record before another attempt.'
    case 'invalid_request':
      return `describe {"operation":"${id}"} shows the input.`
    case 'rate_limited':
    case 'unavailable':
    case 'upstream_unavailable':
      return `${again} in ${retryAfter} s.`
    default:
      return ''
  }
}

function lostAnswer({ id }: Operation, { intent }: OperationCall): string {
  const next =
    intent === undefined ? 'look at the record first' : 'call again with the same intent and input: it is done once'
  return `The connection ended before ${id} was answered. The change may have taken effect; ${next}.`
}
