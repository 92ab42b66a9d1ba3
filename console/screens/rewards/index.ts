import type { ComponentType } from 'react'
import { LinkedCards, PartnerUsers, Purchases, RewardPayments } from './lists.tsx'
import { NationalOffers } from './national-offers.tsx'
import { Offers } from './offers.tsx'
import { Reconciliation } from './reconciliation.tsx'
import { RewardScreen } from './reward.tsx'
import { Rewards } from './rewards.tsx'

/** The screens of rewards without parameters. */
export const rewardPages: Record<string, ComponentType> = {
  '/offers': Offers,
  '/offers/national': NationalOffers,
  '/rewards': Rewards,
  '/rewards/payments': RewardPayments,
  '/rewards/users': PartnerUsers,
  '/rewards/cards': LinkedCards,
  '/rewards/purchases': Purchases,
  '/rewards/reconciliation': Reconciliation,
}

/** The screens of records of rewards, by the path of their list. */
export const rewardRecords: Record<string, ComponentType<{ id: string }>> = {
  '/rewards': RewardScreen,
}
