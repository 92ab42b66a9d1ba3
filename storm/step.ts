import type { NetworkFault } from './network.ts'

/** One step of a life. Plain data: it comes from the seed alone, is printed, stored and replayed. */
export type Step =
  | { do: 'act'; action: string; customer: number; number: number; amount: number }
  | { do: 'look' | 'restart' | 'rotate' }
  | { do: 'wait'; by: string }
  | { do: 'waitForNext' }
  | { do: 'holdWebhooks' | 'duplicateWebhooks'; events: number }
  | { do: 'breakRequests'; fault: NetworkFault; times: number }
  | { do: 'receive' | 'debit' | 'buy'; which: number; amount: number }
  | { do: 'return'; which: number; code: string; late: boolean }
  | { do: 'settle' | 'refund'; which: number; part: number }
  | { do: 'reverse' | 'freeze' | 'unfreeze' | 'close' | 'closeCard' | 'freezeCard'; which: number }

/** The customer of a life, who was there before it began. */
export interface StormCustomer {
  customerId: string
  accountId: string
  cardId: string
  /** Accounts at other banks. The second one gets new numbers from its bank, the third one returns what it gets. */
  externalAccountIds: string[]
}
