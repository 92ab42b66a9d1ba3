import { type Answer, type Caller, operationsOver, type Write } from '../../base/operation.ts'
import type { Page } from '../../base/page.ts'
import type { ActivateOfferInput } from '../campaigns/activate-offer.ts'
import type { Activation } from '../campaigns/activation.ts'
import type { Campaign, CampaignOffer } from '../campaigns/campaign.ts'
import type { CreateCampaignInput } from '../campaigns/create-campaign.ts'
import type { CreateCampaignOfferInput } from '../campaigns/create-campaign-offer.ts'
import type { ListActivationsQuery } from '../campaigns/list-activations.ts'
import type { ListCampaignOffersQuery } from '../campaigns/list-campaign-offers.ts'
import type { ListCampaignsQuery } from '../campaigns/list-campaigns.ts'
import type { ListPartnerUserOffersQuery, UserOffer } from '../campaigns/list-partner-user-offers.ts'
import type { UpdateCampaignInput } from '../campaigns/update-campaign.ts'
import type { UpdateCampaignOfferInput } from '../campaigns/update-campaign-offer.ts'
import type { Filter } from '../filter/filter.ts'
import type { ZipCode } from '../offers/get-zip-code.ts'
import type { CreatePartnerUserInput } from './create-partner-user.ts'
import type { CreatePartnerUserCardInput } from './create-partner-user-card.ts'
import type { CreateRewardableTransactionInput } from './create-rewardable-transaction.ts'
import type { DailyReconciliation } from './get-daily-reconciliation.ts'
import type { PurchaseExplanation } from './get-purchase-explanation.ts'
import type { RewardExplanation } from './get-reward-explanation.ts'
import type { ListMerchantBillsQuery, MerchantBill } from './list-merchant-bills.ts'
import type { PartnerUser, TaggedPartnerUser } from './partner-user.ts'
import type { PartnerUserCard } from './partner-user-card.ts'
import type { Reward } from './reward.ts'
import type { RewardPayment } from './reward-payment.ts'
import type { RewardableTransaction } from './rewardable-transaction.ts'
import type { UpdatePartnerUserInput } from './update-partner-user.ts'
import type { UpdatePartnerUserCardInput } from './update-partner-user-card.ts'

/** Campaigns, by which purchases at the built-in bank earn. */
export interface CampaignRecords {
  createCampaign(write: Write<Campaign>, input: CreateCampaignInput): Promise<Answer>
  getCampaign(caller: Caller, campaignId: string): Promise<Campaign>
  listCampaigns(caller: Caller, query: ListCampaignsQuery): Promise<Page<Campaign>>
  updateCampaign(write: Write<Campaign>, input: UpdateCampaignInput): Promise<Answer>
  createCampaignOffer(write: Write<CampaignOffer>, input: CreateCampaignOfferInput): Promise<Answer>
  getCampaignOffer(caller: Caller, offerId: string): Promise<CampaignOffer>
  listCampaignOffers(caller: Caller, query: ListCampaignOffersQuery): Promise<Page<CampaignOffer>>
  updateCampaignOffer(write: Write<CampaignOffer>, input: UpdateCampaignOfferInput): Promise<Answer>
  activateOffer(write: Write<Activation>, input: ActivateOfferInput): Promise<Answer>
  listActivations(caller: Caller, query: ListActivationsQuery): Promise<Page<Activation>>
  cancelActivation(write: Write<Activation>, activationId: string): Promise<Answer>
  listPartnerUserOffers(caller: Caller, query: ListPartnerUserOffersQuery): Promise<Page<UserOffer>>
}

/**
 * The records of the rewards engine, one method per operation. They are built in, also if a connector provides the offers.
 * Those that need the purchases and the ledger of the built-in bank are optional: with a connected bank they answer 501.
 */
export interface RewardRecords extends Partial<CampaignRecords> {
  listPartnerUsers(caller: Caller, filter: Filter): Promise<Page<PartnerUser>>
  listRewardableTransactions(caller: Caller, filter: Filter): Promise<Page<RewardableTransaction>>
  listRewardPayments(caller: Caller, filter: Filter): Promise<Page<RewardPayment>>
  createPartnerUser(write: Write<TaggedPartnerUser>, input: CreatePartnerUserInput): Promise<Answer>
  updatePartnerUser(write: Write<TaggedPartnerUser>, input: UpdatePartnerUserInput): Promise<Answer>
  getPartnerUser(caller: Caller, partnerUserId: string): Promise<TaggedPartnerUser>
  createPartnerUserCard(write: Write<PartnerUserCard>, input: CreatePartnerUserCardInput): Promise<Answer>
  listPartnerUserCards(caller: Caller, filter: Filter): Promise<Page<PartnerUserCard>>
  updatePartnerUserCard(write: Write<PartnerUserCard>, input: UpdatePartnerUserCardInput): Promise<Answer>
  createRewardableTransaction?(
    write: Write<RewardableTransaction>,
    input: CreateRewardableTransactionInput,
  ): Promise<Answer>
  getDailyReconciliation?(caller: Caller, date: string): Promise<DailyReconciliation>
  listRewards(caller: Caller, filter: Filter): Promise<Page<Reward>>
  getReward(caller: Caller, rewardId: string): Promise<Reward>
  listMerchantBills(caller: Caller, query: ListMerchantBillsQuery): Promise<Page<MerchantBill>>
  getPurchaseExplanation?(caller: Caller, bankTransactionId: string): Promise<PurchaseExplanation>
  getRewardExplanation?(caller: Caller, rewardId: string): Promise<RewardExplanation>
  /** `zip` has five digits. */
  getZipCode(caller: Caller, zip: string): Promise<ZipCode>
}

export const { read: recordsRead, write: recordsWrite } = operationsOver<{ records: Required<RewardRecords> }>(
  'rewards',
  'rewards:read',
  'rewards:write',
)
