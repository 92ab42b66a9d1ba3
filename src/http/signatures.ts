import type { Operation, SignatureRules, Write } from '../base/operation.ts'
import type { Proposal, Proposals } from '../review/proposals/proposal.ts'
import type { Accepted } from './request/validate.ts'
import { render } from './send.ts'
import type { HandlerParts } from './serve.ts'

type Run = HandlerParts['run']
type Judge = (context: unknown, input: unknown) => ReturnType<NonNullable<Operation['signature']>['judge']>

/** The `run` of an operation; if a rule asks for a second person, it proposes what the rule covers, and answers 202. */
export function signedRun(operation: Operation, rules: SignatureRules | undefined): Run {
  const { id, signature } = operation
  const run = operation.run as Run
  if (!signature) return run
  const { decision } = signature
  const least = rules?.from[decision]
  if (least === undefined) return run
  const judge = signature.judge as Judge
  return async (context, input) => {
    const { proposals, write } = context as { proposals: Proposals; write: Write<Proposal> }
    const { params, body } = input as Accepted & { params: Record<string, string> }
    const own: Write<Proposal> = { ...write, secret: undefined, render: (data, json) => render(202, data, json) }
    const proposed = await proposals.propose(own, async () => {
      const judged = await judge(context, input)
      const isCovered = judged && (judged.amount === null || judged.amount >= least)
      return isCovered ? { ...judged, decision, operationId: id, params, body } : undefined
    })
    return proposed ?? run(context, input)
  }
}
