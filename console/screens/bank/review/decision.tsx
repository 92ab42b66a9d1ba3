import type { OperationId } from '../../../../client/src/index.ts'
import { Action, type ActionTarget } from '../../../components/forms/actions.tsx'
import { actionForms } from '../../../data/actions.ts'

/** A button of one decision of a reviewer, which asks for a reason. */
export function Decision({ operation, target }: { operation: OperationId; target: ActionTarget }) {
  const form = actionForms[operation]
  return form && <Action operation={operation} form={form} target={target} refusal={null} />
}
