import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { PartnerUserCard } from './partner-user-card.ts'
import { recordsWrite } from './records.ts'

const UpdatePartnerUserCardBody = Type.Object(
  { isRemoved: Type.Boolean({ description: 'True removes the link, false restores it' }) },
  { description: 'The change' },
)
export type UpdatePartnerUserCardInput = Static<typeof UpdatePartnerUserCardBody> & { partnerUserCardId: string }

/** Extension. Removes the link of a card, or brings it back if the card has no other live one. */
export const updatePartnerUserCard = recordsWrite({
  id: 'updatePartnerUserCard',
  resource: 'partnerUserCards',
  verb: 'update',
  area: 'rewards',
  method: 'PATCH',
  path: '/v0/rewards/partner-user-cards/:partnerUserCardId',
  summary: 'Update partner user card',
  description:
    'Removes the link of a card, or restores it. While it is removed, purchases earn nothing; rewards earned before are still paid.\n\nRestoring is refused with `card_already_linked` if the card has another live link. Emits `partnerUserCard.updated`, unless nothing changed.',
  status: 200,
  scope: 'rewards:write',
  params: Type.Object({ partnerUserCardId: Id('partnerUserCard') }),
  body: UpdatePartnerUserCardBody,
  data: PartnerUserCard,
  problems: ['partner_user_card_not_found', 'card_already_linked'],
  run: ({ records, write }, { params, body }) => records.updatePartnerUserCard(write, { ...params, ...body }),
})
