import type { ReactNode } from 'react'
import { mono } from '../../components/layout/details.tsx'
import { money } from '../../data/format.ts'
import { useHolder } from '../../data/names.ts'
import { useCall } from '../../data/purser.tsx'
import { rewardQuery } from '../../data/reward-filter.ts'

/** Records of rewards know cards, users and transactions by their ids. The newest of each kind are read with one call; others keep their ids. */
const NEWEST = 1_000
const newest = { query: { sort: '-createdAt', limit: NEWEST } } as const
const newestOfRewards = { query: { ...rewardQuery({}), limit: NEWEST } } as const

interface Named {
  id: string | number
}

function useCard(bankCardId: string | undefined) {
  const { data: cards = [] } = useCall('listCards', newest)
  return cards.find(({ id }) => id === bankCardId)
}

function useLinkedCard(isThat: (link: { id: number; partnerUserId: number }) => boolean) {
  const { data: links = [] } = useCall('listPartnerUserCards', newestOfRewards)
  return useCard(links.find(isThat)?.bankCardId)
}

/** A user by the holder of a linked card. */
export function UserName({ id }: Named): ReactNode {
  const card = useLinkedCard(({ partnerUserId }) => partnerUserId === id)
  return useHolder(card?.accountId ?? '')?.replace(/ ··\d+$/, '') ?? mono(id)
}

/** A card by its last four digits. */
export function CardName({ id }: Named): ReactNode {
  const card = useCard(String(id))
  return mono(card ? `•••• ${card.last4Digits}` : id)
}

/** The link of a card by the last four digits of the card. */
export function LinkedCardName({ id }: Named): ReactNode {
  const card = useLinkedCard((link) => link.id === id)
  return mono(card ? `•••• ${card.last4Digits}` : id)
}

/** A purchase by the merchant and the amount. */
export function TransactionName({ id }: Named): ReactNode {
  const { data: transactions = [] } = useCall('listTransactions', newest)
  const found = transactions.find((each) => each.id === id)
  return found ? `${found.counterparty.name}, ${money(found.amount)}` : mono(id)
}

/** A reward by the merchant and the cash back. */
export function RewardName({ id }: Named): ReactNode {
  const { data: rewards = [] } = useCall('listRewards', newestOfRewards)
  const found = rewards.find((each) => each.id === id)
  return found ? `${found.merchantName}, ${money(found.userAmount)}` : mono(id)
}
