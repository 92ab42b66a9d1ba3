import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { isDuplicate } from '../../database/errors.ts'
import { emit } from '../../events/event.ts'
import type { ProcessorCard } from '../../processor/processor-card.ts'
import { lockCard } from '../cards/lock-card.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { findReferencedCard, type ReferencedCard, referenceOf, updateReference } from './card-references.sql.ts'

/** The card with a reference, as a list of one. */
export async function listProcessorCards(
  { database }: BankParts,
  { organisationId }: Caller,
  reference: string,
): Promise<Page<ProcessorCard>> {
  const card = await findReferencedCard(database, organisationId, reference)
  return new Page(card ? [processorCard(card)] : [], false)
}

export function setCardReference(
  { runOnce }: BankParts,
  write: Write<ProcessorCard>,
  { cardId, reference }: { cardId: string; reference: string | null },
): Promise<Answer> {
  const { organisationId } = write.caller
  return runOnce.transaction(write, async (transaction, events) => {
    const { card } = await lockCard(transaction, organisationId, cardId)
    const before = await referenceOf(transaction, card.id)
    if (before === reference) return processorCard({ ...card, reference })
    const changed = await updateReference(transaction, card.id, reference).catch((error: unknown) => {
      throw isDuplicate(error, 'card_of_processor') ? new Problem('card_reference_taken') : error
    })
    return emit(events, 'card.referenceChanged', changed.version, processorCard(changed))
  })
}

export function processorCard({
  id,
  accountId,
  last4,
  expires,
  status,
  type,
  reference,
}: ReferencedCard): ProcessorCard {
  return {
    id: String(id),
    accountId: String(accountId),
    last4Digits: last4,
    expirationDate: expires,
    status,
    type,
    reference,
  }
}
