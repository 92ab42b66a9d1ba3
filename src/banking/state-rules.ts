import { Problem, type ProblemCode } from '../base/problem.ts'

/** When one operation is allowed on a record, by the record's state. */
interface StateRule<State extends string> {
  /** The states that allow the operation. */
  from: readonly State[]
  /** The state afterwards. Absent if the record keeps its state or the request decides. */
  to?: State
  /** The code of the refusal in every other state. */
  otherwise: ProblemCode
}

/** The rules of one kind of record: one for each operation that depends on its state, under the operation's id. */
export type StateRules<OperationId extends string, State extends string> = Readonly<
  Record<OperationId, StateRule<State>>
>

/** The code that refuses an operation in a state; undefined if the operation is allowed. */
export function refusalIn<OperationId extends string, State extends string>(
  rules: StateRules<OperationId, State>,
  operationId: OperationId,
  state: State,
): ProblemCode | undefined {
  const { from, otherwise } = rules[operationId]
  return from.includes(state) ? undefined : otherwise
}

/** Throws the refusal of an operation that a state does not allow. */
export function requireAllowed<OperationId extends string, State extends string>(
  rules: StateRules<OperationId, State>,
  operationId: OperationId,
  state: State,
): void {
  const refusal = refusalIn(rules, operationId, state)
  if (refusal) throw new Problem(refusal)
}

/** The state after an operation. Throws the refusal if the state does not allow it. */
export function stateAfter<OperationId extends string, State extends string>(
  rules: StateRules<OperationId, State>,
  operationId: OperationId,
  state: State,
): State {
  requireAllowed(rules, operationId, state)
  return rules[operationId].to ?? state
}
