import { type TObject, Type } from 'typebox'
import type { ToolResult } from './answer.ts'
import type { Input } from './call-operation.ts'
import { describe, idsByTool } from './describe.ts'
import { readDocumentation } from './documentation.ts'
import { type Inspected, inspect } from './inspect.ts'
import { type OperationCall, runOperation } from './run-operation.ts'
import { operationsOf, type Session } from './session.ts'

/** A tool of the agent. */
export interface Tool {
  name: string
  /** The text that the agent reads. */
  description(session: Session): string
  input: TObject
  annotations: Annotations
  /** Whether the key of the session has a use for it. */
  exists(session: Session): boolean
  run(session: Session, args: never): ToolResult | Promise<ToolResult>
}

/** Hints to the agent's program, which may ask a person before it calls a tool. */
interface Annotations {
  title: string
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const Operation = Type.String({ maxLength: 100, description: 'Operation id, such as createPayment' })
const CallInput = Type.Unsafe<Input>({
  type: 'object',
  description: 'Members of path, query and body in one object; describe shows them',
})
const Fields = Type.Array(Type.String({ maxLength: 200 }), {
  maxItems: 50,
  description: 'Only these members of each record, such as id or counterparty.name',
})
const Skip = Type.Integer({ minimum: 0, maximum: 100_000, description: 'Records to leave out, as next says' })
const Intent = Type.String({
  minLength: 3,
  maxLength: 200,
  pattern: '\\S',
  description:
    'Short name of what shall happen once, with its occurrence: "rent 2026-11". The same intent again does nothing and shows the first answer',
})

function closed<Members extends TObject['properties']>(members: Members): TObject {
  return Type.Object(members, { additionalProperties: false })
}

/** All tools. An agent sees those that its key has a use for. */
export const tools: Tool[] = [
  {
    name: 'describe',
    description: (session) =>
      `Describes an operation: input, answer, problems, example. Call it before the first use of an operation. Amounts are cents. Without operation: all, with summaries. Operations by tool:\n${idsByTool(session)}`,
    input: closed({ operation: Type.Optional(Operation) }),
    annotations: { title: 'Describe operations', ...reading },
    exists: () => true,
    run: (session, args: { operation?: string }) => describe(session, args),
  },
  {
    name: 'read',
    description: () => 'Calls an operation that reads. Changes nothing. next in an answer is the call for the rest.',
    input: closed({
      operation: Operation,
      input: Type.Optional(CallInput),
      fields: Type.Optional(Fields),
      skip: Type.Optional(Skip),
    }),
    annotations: { title: 'Read records', ...reading },
    exists: (session) => operationsOf(session, 'read').length > 0,
    run: (session, args: OperationCall) => runOperation(session, 'read', args),
  },
  {
    name: 'write',
    description: ({ mode }) =>
      `Calls an operation that changes something, such as a payment, once for each intent.${mode === 'live' ? ' Moves real money.' : ''}`,
    input: closed({ operation: Operation, input: Type.Optional(CallInput), intent: Intent }),
    annotations: {
      title: 'Change records',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    exists: (session) => operationsOf(session, 'write').length > 0,
    run: (session, args: OperationCall) => runOperation(session, 'write', args),
  },
  {
    name: 'inspect',
    description: () =>
      'Explains a record of any type by its id (also an event, a delivery, a request id, an idempotency key, a name): the record, its neighbours, what can be done with it now, and the time line request → ledger transfers → events → deliveries.',
    input: closed({
      id: Type.String({ minLength: 1, maxLength: 255 }),
      type: Type.Optional(Type.String({ maxLength: 50, description: 'Type of the record, if an id has several' })),
    }),
    annotations: { title: 'Inspect a record', ...reading },
    exists: () => true,
    run: (session, args: Inspected) => inspect(session, args),
  },
  {
    name: 'sandbox',
    description: () =>
      'Simulates: bank time (getClock, advanceClock), sample records (createScenario, createCustomer), incoming money (receiveAch), card purchases, returns, reviews, faults.',
    input: closed({
      operation: Operation,
      input: Type.Optional(CallInput),
      intent: Type.Optional(Intent),
      fields: Type.Optional(Fields),
      skip: Type.Optional(Skip),
    }),
    annotations: {
      title: 'Simulate in the sandbox',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    exists: (session) => operationsOf(session, 'sandbox').length > 0,
    run: (session, args: OperationCall) => runOperation(session, 'sandbox', args),
  },
  {
    name: 'docs',
    description: () => 'Searches (query) or reads (page) the documentation of Purser. Without arguments: the pages.',
    input: closed({
      query: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      page: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Such as webhooks#retries' })),
    }),
    annotations: { title: 'Read the documentation', ...reading },
    exists: () => true,
    run: ({ documentation }, args: { query?: string; page?: string }) => readDocumentation(documentation, args),
  },
]
