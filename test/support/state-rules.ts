import { refusalIn, type StateRules } from '../../src/banking/state-rules.ts'

/** The outcome of an operation in a state: the state afterwards, or the code of the refusal. */
export function outcomeOf<OperationId extends string, State extends string>(
  rules: StateRules<OperationId, State>,
  operationId: OperationId,
  state: State,
): string {
  return refusalIn(rules, operationId, state) ?? rules[operationId].to ?? state
}
