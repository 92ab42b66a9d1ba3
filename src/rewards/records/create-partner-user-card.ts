import { type Static, Type } from 'typebox'
import { Id, IntegerId } from '../../base/ids.ts'
import { PartnerUserCard } from './partner-user-card.ts'
import { recordsWrite } from './records.ts'

const CreatePartnerUserCardInput = Type.Object(
  {
    partnerUserId: IntegerId('partnerUser', 'The partner user who earns with the card'),
    bankCardId: Id('card', 'The card to link'),
  },
  { description: 'The card to link' },
)
export type CreatePartnerUserCardInput = Static<typeof CreatePartnerUserCardInput>

/** Extension. Links a card to a partner user, who earns with it from then on. */
export const createPartnerUserCard = recordsWrite({
  id: 'createPartnerUserCard',
  resource: 'partnerUserCards',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/partner-user-cards',
  summary: 'Create partner user card',
  description:
    'Links a card to a partner user. From now on, settled purchases earn rewards if an offer matches; `POST /v0/rewards/rewardable-transactions` submits earlier ones.\n\nA card can have one live link; a second is refused with `card_already_linked`. An unknown card is refused with `card_not_found`, an unknown partner user with `partner_user_not_found`. Emits `partnerUserCard.created`.',
  status: 201,
  scope: 'rewards:write',
  body: CreatePartnerUserCardInput,
  data: PartnerUserCard,
  problems: ['partner_user_not_found', 'card_not_found', 'card_already_linked'],
  run: ({ records, write }, { body }) => records.createPartnerUserCard(write, body),
})
