import { type Answer, type Caller, operationsOver, type Write } from '../../base/operation.ts'
import type { Page } from '../../base/page.ts'
import type { Filter } from '../filter/filter.ts'
import type { ZipCode } from '../offers/get-zip-code.ts'
import type { CreatePartnerUserInput } from './create-partner-user.ts'
import type { CreatePartnerUserCardInput } from './create-partner-user-card.ts'
import type { CreateRewardableTransactionInput } from './create-rewardable-transaction.ts'
import type { DailyReconciliation } from './get-daily-reconciliation.ts'
import type { PurchaseExplanation } from './get-purchase-explanation.ts'
import type { RewardExplanation } from './get-reward-explanation.ts'
import type { ListMerchantBillsQuery, MerchantBill } from './list-merchant-bills.ts'
import type { PartnerUser } from './partner-user.ts'
import type { PartnerUserCard } from './partner-user-card.ts'
import type { Reward } from './reward.ts'
import type { RewardPayment } from './reward-payment.ts'
import type { RewardableTransaction } from './rewardable-transaction.ts'
import type { UpdatePartnerUserInput } from './update-partner-user.ts'
import type { UpdatePartnerUserCardInput } from './update-partner-user-card.ts'

/**
 * The records of the rewards engine, one method per operation. They are built in, also if a connector provides the offers.
 * Those that need the purchases and the ledger of the built-in bank are optional: with a connected bank they answer 501.
 */
export interface RewardRecords {
  listPartnerUsers(caller: Caller, filter: Filter): Promise<Page<PartnerUser>>
  listRewardableTransactions(caller: Caller, filter: Filter): Promise<Page<RewardableTransaction>>
  listRewardPayments(caller: Caller, filter: Filter): Promise<Page<RewardPayment>>
  createPartnerUser(write: Write<PartnerUser>, input: CreatePartnerUserInput): Promise<Answer>
  updatePartnerUser(write: Write<PartnerUser>, input: UpdatePartnerUserInput): Promise<Answer>
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
