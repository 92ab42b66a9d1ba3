import { Purser } from '../client/src/index.ts'
import type { StormCustomer } from './step.ts'

/** The bank of a life: an organisation of its own. */
export interface Organisation {
  apiKey: string
  purser: Purser
  /** The client of the person at the bank who decides about payments. */
  reviewer: Purser
  customers: StormCustomer[]
}

/** Accounts at other banks: see `StormCustomer`. */
const accountNumbers = ['1234567890', '9992000001', '9990000003', '9991000006']
const FUNDS = 500_000
const FUNDING_MS = 7 * 24 * 3_600_000

/** Creates an organisation with two customers, each with an account, money, a card and accounts at other banks. */
export async function createOrganisation(
  url: string,
  admin: Purser,
  { now, history = 0 }: { now: string; history?: number },
): Promise<Organisation> {
  const before = new Date(Date.parse(now) - FUNDING_MS).toISOString()
  const created = await admin.sandbox.organisations.create({ name: 'Storm', now: before, frozen: true })
  const apiKey = created.apiKey.key
  const purser = new Purser({ url, apiKey })
  const { key } = await purser.apiKeys.create({ name: 'Reviewer', scopes: ['review:write'] })
  const reviewer = new Purser({ url, apiKey: key })
  // One after the other: steps choose records by their order, which is that of their ids.
  const customers = [await createCustomer(purser, 'Ada Example'), await createCustomer(purser, 'Bo Example')]
  const { accountId = '' } = customers[0] ?? {}
  const salary = { amount: 1, companyName: 'Employer' }
  await Promise.all(Array.from({ length: history }, () => purser.sandbox.accounts.receiveAch(accountId, salary)))
  // Money from another bank settles after some banking days.
  await purser.sandbox.clock.advance({ to: now })
  return { apiKey, purser, reviewer, customers }
}

async function createCustomer(purser: Purser, name: string): Promise<StormCustomer> {
  const { id: customerId } = await purser.sandbox.customers.create({ name })
  const external = (accountNumber: string) =>
    purser.externalAccounts.create(customerId, {
      ...{ type: 'Person', name: 'Payee', accountNumber, accountType: 'Checking', routingNumber: '021000021' },
    })
  const { id: accountId } = await purser.accounts.create({ customerId })
  const [card, user, , ...externals] = await Promise.all([
    purser.cards.create({ accountId, type: 'individualVirtualDebitCard' }),
    purser.partnerUsers.create({ userId: Number(accountId) }),
    purser.sandbox.accounts.receiveAch(accountId, { amount: FUNDS, companyName: 'Employer' }),
    ...accountNumbers.map(external),
  ])
  await purser.partnerUserCards.create({ partnerUserId: user.id, bankCardId: card.id })
  const externalAccountIds = externals.map(({ id }) => id)
  return { customerId, accountId, cardId: card.id, partnerUserId: user.id, externalAccountIds }
}
