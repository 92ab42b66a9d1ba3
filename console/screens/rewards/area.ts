import type { Area } from '../../screens.tsx'
import { Bills } from './bills.tsx'
import { Activations, CampaignOfferScreen, CampaignOffers, CampaignScreen, Campaigns } from './campaigns.tsx'
import { Funnel } from './funnel.tsx'
import { LinkedCards, PartnerUsers, Purchases, RewardPayments, Rewards } from './lists.tsx'
import { NationalOffers } from './national-offers.tsx'
import { Offers } from './offers.tsx'
import { Reconciliation } from './reconciliation.tsx'
import { RewardScreen } from './reward.tsx'

/** The screens of rewards. */
export const rewards: Area = {
  pages: {
    '/offers': Offers,
    '/offers/national': NationalOffers,
    '/rewards': Rewards,
    '/rewards/payments': RewardPayments,
    '/rewards/users': PartnerUsers,
    '/rewards/cards': LinkedCards,
    '/rewards/purchases': Purchases,
    '/rewards/funnel': Funnel,
    '/rewards/bills': Bills,
    '/rewards/campaigns': Campaigns,
    '/rewards/campaign-offers': CampaignOffers,
    '/rewards/activations': Activations,
    '/rewards/reconciliation': Reconciliation,
  },
  records: {
    '/rewards': RewardScreen,
    '/rewards/campaigns': CampaignScreen,
    '/rewards/campaign-offers': CampaignOfferScreen,
  },
}
