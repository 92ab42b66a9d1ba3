import { addDays } from '../../base/clock.ts'
import { idNumber, integerIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage, toPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { emit } from '../../events/event.ts'
import type { ActivateOfferInput } from '../../rewards/campaigns/activate-offer.ts'
import type { Activation } from '../../rewards/campaigns/activation.ts'
import { fits, leftOf } from '../../rewards/campaigns/budget.ts'
import type { ListActivationsQuery } from '../../rewards/campaigns/list-activations.ts'
import type { ListPartnerUserOffersQuery, UserOffer } from '../../rewards/campaigns/list-partner-user-offers.ts'
import type { CampaignRecords } from '../../rewards/records/records.ts'
import { activationOf } from '../earning/activation-view.ts'
import { unfitOf } from '../earning/campaign-offers.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { isUsable } from '../records/campaigns/activations.ts'
import {
  cancelRow,
  findActivation,
  insertActivation,
  listActivationRows,
  lockPartnerUser,
  runningActivations,
} from './activations.sql.ts'
import { useOf } from './budget-use.ts'
import { findLive, listLiveOffers } from './campaigns.sql.ts'
import { offerOf } from './campaigns.ts'
import { findRecord, taggedUsers } from './reward-records.sql.ts'

type Activations = Pick<
  CampaignRecords,
  'activateOffer' | 'listActivations' | 'cancelActivation' | 'listPartnerUserOffers'
>

export function activationsOf(parts: BankParts): Activations {
  return {
    activateOffer: (write, input) => activateOffer(parts, write, input),
    listActivations: (caller, query) => listActivations(parts, caller, query),
    cancelActivation: (write, id) => cancelActivation(parts, write, id),
    listPartnerUserOffers: (caller, query) => listPartnerUserOffers(parts, caller, query),
  }
}

async function activateOffer(
  { ids, runOnce }: BankParts,
  write: Write<Activation>,
  { offerId, partnerUserId }: ActivateOfferInput,
): Promise<Answer> {
  const id = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const offer = await findLive(transaction, organisationId, idNumber(offerId))
    if (!offer) throw new Problem('campaign_offer_not_found')
    const user = await lockPartnerUser(transaction, organisationId, integerIdNumber(partnerUserId))
    if (!user) throw new Problem('partner_user_not_found')
    const { activation } = offer.terms
    if (!activation || user.isRemoved || unfitNow(offer, user)) throw new Problem('offer_not_available')
    const running = await runningActivations(transaction, user.id, [offer.id], user.now)
    if (running.some(({ status, used }) => status === 'Active' || used > 0)) throw new Problem('offer_activated')
    const made = await insertActivation(transaction, {
      ...{ id, organisationId, offerId: offer.id, partnerUserId: user.id },
      ...{ expiresAt: addDays(user.now, activation.days), uses: activation.uses ?? null },
    })
    return emit(events, 'offerActivation.created', 1, activationOf(made))
  })
}

type Offer = Parameters<typeof unfitOf>[0]

/** The days of the week are left out: an offer is activated on any of them. */
function unfitNow({ isActive, terms }: Offer, { tags, now }: { tags: Record<string, string>; now: string }) {
  return unfitOf({ isActive, terms: { ...terms, days: null } }, tags, now)
}

async function listActivations(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListActivationsQuery,
): Promise<Page<Activation>> {
  const filter = {
    organisationId,
    partnerUserId: query.partnerUserId === undefined ? null : integerIdNumber(query.partnerUserId),
    offerId: query.offerId === undefined ? null : idNumber(query.offerId),
  }
  const page = pageWindow(query)
  return toCursorPage(await listActivationRows(database, filter, page), page.limit, activationOf)
}

function cancelActivation({ runOnce }: BankParts, write: Write<Activation>, activationId: string): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const found = await findActivation(transaction, organisationId, idNumber(activationId))
    if (!found) throw new Problem('offer_activation_not_found')
    await lockPartnerUser(transaction, organisationId, found.partnerUserId)
    const canceled = await cancelRow(transaction, found.id)
    if (canceled) return emit(events, 'offerActivation.updated', canceled.version, activationOf(canceled))
    return activationOf((await findActivation(transaction, organisationId, found.id)) ?? found)
  })
}

async function listPartnerUserOffers(
  { database }: BankParts,
  { organisationId }: Caller,
  { partnerUserId, ...query }: ListPartnerUserOffersQuery,
): Promise<Page<UserOffer>> {
  const user = await findRecord(database, taggedUsers, organisationId, integerIdNumber(partnerUserId))
  if (!user) throw new Problem('partner_user_not_found')
  const page = pageWindow(query)
  const rows = await listLiveOffers(database, organisationId, page)
  const [first] = rows
  if (!first) return toPage([], page.limit, (row: UserOffer) => row)
  const { now } = first
  const users = [0, user.id]
  const holders = rows.flatMap(({ id, campaignId }) =>
    [0, id].flatMap((offerId) => users.map((partnerUserId) => ({ campaignId, offerId, partnerUserId }))),
  )
  const use = await useOf(database, organisationId, holders)
  const running = await runningActivations(
    database,
    user.id,
    rows.map(({ id }) => id),
    now,
  )
  return toCursorPage(rows, page.limit, (row) => {
    const activation = running.findLast(({ offerId, status }) => offerId === row.id && status === 'Active')
    const needs = row.terms.activation && !(activation && isUsable(activation, now))
    const unfit = user.isRemoved ? 'NotEligible' : unfitOf({ ...row, isActive: true }, user.tags, now)
    const { id: offerId, campaignId, campaign, terms } = row
    const left = leftOf([
      { budget: campaign.budget, used: use({ campaignId }) },
      { budget: campaign.userBudget, used: use({ campaignId, partnerUserId: user.id }) },
      { budget: terms.budget ?? null, used: use({ campaignId, offerId }) },
      { budget: terms.userBudget ?? null, used: use({ campaignId, offerId, partnerUserId: user.id }) },
    ])
    const lacks = needs ? 'NotActivated' : fits(left, 1) ? undefined : 'BudgetSpent'
    return {
      id: String(offerId),
      offer: offerOf(row, use({ campaignId, offerId })),
      eligibility: unfit ?? lacks ?? 'Eligible',
      left,
      activation: activation ? activationOf(activation) : null,
    }
  })
}
