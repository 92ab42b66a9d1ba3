import type { Operation } from '../base/operation.ts'
import type { Answered, CallOptions, Input } from './call-operation.ts'
import type { Documentation } from './documentation.ts'

/** The tools that call operations. */
export type CallingTool = 'read' | 'write' | 'sandbox'

/** One request of an agent: the operations that it may call, and the way to call them. */
export interface Session {
  mode: 'sandbox' | 'live'
  version: string
  organisationId: number
  /** The operations that the key may call by its tools, in the order of the index. */
  operations: Operation[]
  documentation: Documentation
  call(operation: Operation, input: Input, options?: CallOptions): Promise<Answered>
}

/** The tool that an operation belongs to. */
export function toolOf({ area, method }: Operation): CallingTool {
  if (area === 'sandbox') return 'sandbox'
  return method === 'GET' ? 'read' : 'write'
}

/** Operations that end a whole bank. One call of an agent must not do that: the user does it. */
const ending = ['resetOrganisation', 'deleteOrganisation']

/** Whether an agent may call an operation that its key may call. */
export function isForAgents(operation: Operation, writes: boolean): boolean {
  return !isEnding(operation.id) && (writes || toolOf(operation) !== 'write')
}

export function isEnding(id: string): boolean {
  return ending.includes(id)
}

export function operationsOf({ operations }: Session, tool: CallingTool): Operation[] {
  return operations.filter((operation) => toolOf(operation) === tool)
}
