import { Type } from 'typebox'
import type { Authorization, AuthorizationIncrement } from '../banking/authorizations/authorization.ts'
import type { ChargeInput, RefundInput, SettlementInput } from '../banking/authorizations/charge.ts'
import type { ListedTransaction } from '../banking/transactions/transaction.ts'
import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import { Text } from '../base/text.ts'
import type { ProcessorCard } from './processor-card.ts'

/** The member of every message by which it is recognised when the processor sends it again. */
export const processorId = Text(1, 255, {
  description:
    'Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused',
  examples: ['msg-20260131-000042'],
})

/** A message of the processor: a change, and its id. */
type Message<Input> = Input & { processorId: string }

/** An authorization that a message without content of its own concerns. */
interface OfAuthorization {
  authorizationId: string
}

interface AmountInput extends OfAuthorization {
  amount: number
}

/** The messages of a card processor: one method for each operation, under the operation's id. */
export interface Processor {
  listProcessorCards(caller: Caller, query: { reference: string }): Promise<Page<ProcessorCard>>
  setCardReference(write: Write<ProcessorCard>, input: { cardId: string; reference: string | null }): Promise<Answer>
  createProcessorAuthorization(write: Write<Authorization>, input: Message<ChargeInput>): Promise<Answer>
  settleProcessorAuthorization(write: Write<ListedTransaction>, input: Message<SettlementInput>): Promise<Answer>
  reverseProcessorAuthorization(write: Write<Authorization>, input: Message<OfAuthorization>): Promise<Answer>
  refundProcessorAuthorization(write: Write<ListedTransaction>, input: Message<RefundInput>): Promise<Answer>
  incrementAuthorization(write: Write<AuthorizationIncrement>, input: Message<AmountInput>): Promise<Answer>
  adviseAuthorization(write: Write<Authorization>, input: Message<AmountInput>): Promise<Answer>
}

export const { read: processorRead, write: processorWrite } = operationsOver<{ processor: Processor }>(
  'processor',
  'processor:write',
)

/** The body of a message that has nothing but its id. */
export const BareMessage = Type.Object({ processorId }, { description: 'The message' })
