import { type Static, Type } from 'typebox'
import { Id, IntegerId } from '../../base/ids.ts'
import { PartnerUserCard } from './partner-user-card.ts'
import { recordsWrite } from './records.ts'

const CreatePartnerUserCardInput = Type.Object({ partnerUserId: IntegerId('partnerUser'), bankCardId: Id('card') })
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
  status: 201,
  scope: 'rewards:write',
  body: CreatePartnerUserCardInput,
  data: PartnerUserCard,
  problems: ['partner_user_not_found', 'card_not_found', 'card_already_linked'],
  run: ({ records, write }, { body }) => records.createPartnerUserCard(write, body),
})
