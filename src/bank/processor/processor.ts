import { runMessage } from '../../idempotency/run-message.ts'
import type { Processor } from '../../processor/processor.ts'
import {
  adviseAuthorization,
  createAuthorization,
  incrementAuthorization,
  refundAuthorization,
  reverseAuthorization,
  settleAuthorization,
} from '../cards/authorizations.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { listProcessorCards, setCardReference } from './card-references.ts'

/** The card processor's operations. Its messages run the same commands as the simulations of the sandbox. */
export function processorOf(bank: BankParts): Processor {
  return {
    listProcessorCards: (caller, query) => listProcessorCards(bank, caller, query.reference),
    setCardReference: (write, input) => setCardReference(bank, write, input),
    createProcessorAuthorization: (write, { processorId, cardId, amount, merchant }) => {
      const { name, category = null, location = null, id, categoryCode } = merchant
      const content = ['authorization', cardId, amount, name, category, location]
      // Messages without them keep the content that they had before there were such members.
      if (id !== undefined || categoryCode !== undefined) content.push(id ?? null, categoryCode ?? null)
      const input = { cardId, amount, merchant }
      return runMessage(bank, write, { processorId, content }, (own) => createAuthorization(bank, own, input))
    },
    settleProcessorAuthorization: (write, { processorId, authorizationId, amount, final }) => {
      const content = ['settlement', authorizationId, amount ?? null, final ?? null]
      const input = { authorizationId, ...(amount !== undefined && { amount }), ...(final !== undefined && { final }) }
      return runMessage(bank, write, { processorId, content }, (own) => settleAuthorization(bank, own, input))
    },
    reverseProcessorAuthorization: (write, { processorId, authorizationId }) => {
      const content = ['reversal', authorizationId]
      return runMessage(bank, write, { processorId, content }, (own) =>
        reverseAuthorization(bank, own, authorizationId),
      )
    },
    refundProcessorAuthorization: (write, { processorId, authorizationId, amount }) => {
      const content = ['refund', authorizationId, amount ?? null]
      const input = { authorizationId, ...(amount !== undefined && { amount }) }
      return runMessage(bank, write, { processorId, content }, (own) => refundAuthorization(bank, own, input))
    },
    incrementAuthorization: (write, { processorId, ...input }) => {
      const content = ['increment', input.authorizationId, input.amount]
      return runMessage(bank, write, { processorId, content }, (own) => incrementAuthorization(bank, own, input))
    },
    adviseAuthorization: (write, { processorId, ...input }) => {
      const content = ['advice', input.authorizationId, input.amount]
      return runMessage(bank, write, { processorId, content }, (own) => adviseAuthorization(bank, own, input))
    },
  }
}
