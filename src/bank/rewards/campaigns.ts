import { instantIn } from '../../base/clock.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import { leftOf, type UseOfPeriods } from '../../rewards/campaigns/budget.ts'
import {
  type Campaign,
  type CampaignOffer,
  type OfferTerms,
  requireNotEnded,
  type UserCondition,
} from '../../rewards/campaigns/campaign.ts'
import { readCondition } from '../../rewards/campaigns/condition.ts'
import type { CreateCampaignInput } from '../../rewards/campaigns/create-campaign.ts'
import type { CreateCampaignOfferInput } from '../../rewards/campaigns/create-campaign-offer.ts'
import type { ListCampaignOffersQuery } from '../../rewards/campaigns/list-campaign-offers.ts'
import type { ListCampaignsQuery } from '../../rewards/campaigns/list-campaigns.ts'
import type { UpdateCampaignInput } from '../../rewards/campaigns/update-campaign.ts'
import type { UpdateCampaignOfferInput } from '../../rewards/campaigns/update-campaign-offer.ts'
import { normalisedMerchantName } from '../../rewards/merchant-name.ts'
import type { CampaignRecords } from '../../rewards/records/records.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankTime } from '../time/clock.sql.ts'
import { useOf } from './budget-use.ts'
import {
  type CampaignOfferRow,
  type CampaignRow,
  countOffersOf,
  findRow,
  insertCampaign,
  insertOffer,
  listRowsOf,
  markBudgeted,
  updateCampaignRow,
  updateOfferRow,
} from './campaigns.sql.ts'

/** Each purchase at a merchant looks at all of its offers. */
const MAX_OFFERS_OF_MERCHANT = 50

type Campaigns = Omit<
  CampaignRecords,
  'activateOffer' | 'listActivations' | 'cancelActivation' | 'listPartnerUserOffers'
>

export function campaignsOf(parts: BankParts): Campaigns {
  const { database } = parts
  return {
    createCampaign: (write, input) => createCampaign(parts, write, input),
    getCampaign: async ({ organisationId }, id) =>
      campaignOf(database, required(await findRow(database, 'campaign', { organisationId, id: idNumber(id) }))),
    listCampaigns: (caller, query) => listCampaigns(parts, caller, query),
    updateCampaign: (write, input) => updateCampaign(parts, write, input),
    createCampaignOffer: (write, input) => createCampaignOffer(parts, write, input),
    getCampaignOffer: async ({ organisationId }, id) => {
      const row = await findRow(database, 'campaign_offer', { organisationId, id: idNumber(id) })
      return shownOffer(database, required(row, 'campaign_offer_not_found'))
    },
    listCampaignOffers: (caller, query) => listCampaignOffers(parts, caller, query),
    updateCampaignOffer: (write, input) => updateCampaignOffer(parts, write, input),
  }
}

async function createCampaign(
  { ids, runOnce }: BankParts,
  write: Write<Campaign>,
  { name, budget = null, userBudget = null }: CreateCampaignInput,
): Promise<Answer> {
  const id = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const made = await insertCampaign(transaction, { id, organisationId, name, budget, userBudget })
    return emit(events, 'campaign.created', 1, await campaignOf(transaction, made))
  })
}

async function listCampaigns(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListCampaignsQuery,
): Promise<Page<Campaign>> {
  const filter = { organisationId, campaignId: null, status: query.status ?? null }
  const page = pageWindow(query)
  const rows = await listRowsOf(database, 'campaign', filter, page)
  const use = await useOf(
    database,
    organisationId,
    rows.map(({ id }) => ({ campaignId: id })),
  )
  return toCursorPage(rows, page.limit, (row) => shownCampaign(row, use({ campaignId: row.id })))
}

/** The lane locks the campaign too, so that a new budget binds every purchase that is decided after it. */
const lock = 'for no key update'

function updateCampaign({ runOnce }: BankParts, write: Write<Campaign>, input: UpdateCampaignInput): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { campaignId, ...change } = input
    const key = { organisationId: write.caller.organisationId, id: idNumber(campaignId) }
    const campaign = required(await findRow(transaction, 'campaign', key, lock))
    requireNotEnded(campaign)
    const changed = await updateCampaignRow(transaction, { ...campaign, ...given(change) })
    return emit(events, 'campaign.updated', changed.version, await campaignOf(transaction, changed))
  })
}

async function createCampaignOffer(
  { ids, runOnce }: BankParts,
  write: Write<CampaignOffer>,
  { campaignId, merchantName, ...input }: CreateCampaignOfferInput,
): Promise<Answer> {
  const id = await ids.next()
  const normalisedName = normalisedMerchantName(merchantName)
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const key = { organisationId, id: idNumber(campaignId) }
    const campaign = required(await findRow(transaction, 'campaign', key, lock))
    requireNotEnded(campaign)
    const validFrom = await bankTime(transaction, organisationId)
    const terms = changedTerms({ ...noTerms, validFrom }, input)
    const offer = { id, organisationId, campaignId: campaign.id, merchantName, normalisedName, terms }
    await requireFewOffers(transaction, offer)
    if (terms.budget) await markBudgeted(transaction, campaign.id)
    return emit(
      events,
      'campaignOffer.created',
      1,
      await shownOffer(transaction, await insertOffer(transaction, offer)),
    )
  })
}

async function listCampaignOffers(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListCampaignOffersQuery,
): Promise<Page<CampaignOffer>> {
  const filter = { organisationId, campaignId: optionalIdNumber(query.campaignId), status: query.status ?? null }
  const page = pageWindow(query)
  const rows = await listRowsOf(database, 'campaign_offer', filter, page)
  const use = await useOf(database, organisationId, rows.map(holderOf))
  return toCursorPage(rows, page.limit, (row) => offerOf(row, use(holderOf(row))))
}

function updateCampaignOffer(
  { runOnce }: BankParts,
  write: Write<CampaignOffer>,
  { offerId, status, ...input }: UpdateCampaignOfferInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const key = { organisationId, id: idNumber(offerId) }
    const { campaignId } = required(await findRow(transaction, 'campaign_offer', key), 'campaign_offer_not_found')
    await findRow(transaction, 'campaign', { organisationId, id: campaignId }, lock)
    const offer = required(await findRow(transaction, 'campaign_offer', key, lock), 'campaign_offer_not_found')
    requireNotEnded(offer)
    const terms = changedTerms(offer.terms, input)
    if (input.merchantIds) await requireFewOffers(transaction, { ...offer, terms })
    if (terms.budget) await markBudgeted(transaction, campaignId)
    const changed = await updateOfferRow(transaction, { ...offer, status: status ?? offer.status, terms })
    return emit(events, 'campaignOffer.updated', changed.version, await shownOffer(transaction, changed))
  })
}

type TermsInput = Omit<UpdateCampaignOfferInput, 'offerId' | 'status'>

/** Also the members that offers of former versions lack. */
const noTerms: Omit<OfferTerms, 'validFrom'> = {
  ...{ title: '', terms: '', merchantIds: null, categoryCodes: null },
  ...{ commission: null, amount: null, minimumSpend: 0, maximumReward: null },
  ...{ days: null, expirationDate: null, settlementDelayDays: null, condition: null },
  ...{ activation: null, budget: null, userBudget: null },
}

/** The terms after a change. A percentage replaces an amount, and the reverse. */
function changedTerms(before: OfferTerms, input: TermsInput): OfferTerms {
  const { commission, amount } = input
  if (input.condition) requireCondition(input.condition)
  const { validFrom, expirationDate } = input
  const times = {
    ...(validFrom && { validFrom: instantIn('validFrom', validFrom) }),
    ...(expirationDate && { expirationDate: instantIn('expirationDate', expirationDate) }),
  }
  const rate = commission === undefined && amount === undefined ? {} : { commission: null, amount: null }
  const terms: OfferTerms = { ...before, ...rate, ...given(input), ...times }
  if (terms.expirationDate !== null && terms.expirationDate <= terms.validFrom)
    throw invalid('/expirationDate', 'expirationDate must be after validFrom')
  return terms
}

async function requireFewOffers(transaction: Queryable, offer: Parameters<typeof countOffersOf>[1]): Promise<void> {
  const others = await countOffersOf(transaction, offer)
  if (others >= MAX_OFFERS_OF_MERCHANT) throw new Problem('too_many_offers')
}

/** Refuses a condition with a fault, at its place in the body. */
function requireCondition(condition: UserCondition): void {
  try {
    readCondition(condition)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = error.errors?.map(({ parameter, ...fault }) => ({ pointer: `/condition/${parameter}`, ...fault }))
    throw new Problem('invalid_request', { detail: error.message, ...(errors && { errors }) })
  }
}

function invalid(pointer: string, message: string): Problem {
  return new Problem('invalid_request', { errors: [{ pointer, code: 'out_of_range', message }] })
}

/** The members that are sent: null removes, and what is absent stays. */
function given<Members extends object>(input: Members): { [M in keyof Members]?: Exclude<Members[M], undefined> } {
  const sent = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent) as ReturnType<typeof given<Members>>
}

function required<Row>(
  row: Row | undefined,
  code: 'campaign_not_found' | 'campaign_offer_not_found' = 'campaign_not_found',
): Row {
  if (row === undefined) throw new Problem(code)
  return row
}

async function campaignOf(database: Queryable, row: CampaignRow): Promise<Campaign> {
  const holder = { campaignId: row.id }
  return shownCampaign(row, (await useOf(database, row.organisationId, [holder]))(holder))
}

function shownCampaign(row: CampaignRow, used: UseOfPeriods): Campaign {
  const { id, name, status, budget, userBudget, createdAt, updatedAt } = row
  const budgetLeft = leftOf([{ budget, used }])
  return { id: String(id), name, status, budget, userBudget, budgetLeft, used: used.total, createdAt, updatedAt }
}

async function shownOffer(database: Queryable, row: CampaignOfferRow): Promise<CampaignOffer> {
  return offerOf(row, (await useOf(database, row.organisationId, [holderOf(row)]))(holderOf(row)))
}

const holderOf = ({ id, campaignId }: CampaignOfferRow) => ({ campaignId, offerId: id })

export function offerOf(row: CampaignOfferRow, used: UseOfPeriods): CampaignOffer {
  const { id, campaignId, status, merchantName, createdAt, updatedAt } = row
  const terms = { ...noTerms, ...row.terms }
  const use = { budgetLeft: leftOf([{ budget: terms.budget, used }]), used: used.total }
  return {
    id: String(id),
    campaignId: String(campaignId),
    status,
    merchantName,
    ...terms,
    ...use,
    createdAt,
    updatedAt,
  }
}
