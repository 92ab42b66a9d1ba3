import { randomInt } from 'node:crypto'
import type { Application, Authorization, Card, Purser } from '../../client/src/index.ts'
import { Refusal } from '../../ground/failure.ts'
import type { RecordName } from './trigger.ts'

export type Named = Partial<Record<RecordName, string>>

/** A record that a trigger made on its way. */
export interface Made {
  type: string
  id: string
}

const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
const person = { name: 'Ada Example', email: 'ada@example.com', phone: '+12125550123', address }
/** The sandbox decides an application by its social security number. None of these was ever issued. */
const ssns = { approved: '123456789', awaitingDocuments: '000000003', pendingReview: '000000004' }
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** The money of an account that pays for something, in cents. */
const FUNDS = 1_000_00
const NOBODY = { name: 'Sample Market', category: 'Groceries', location: 'Springfield, IL' }
/** The next 20 due things are listed at a time; more than this many pages are not waited through. */
const MAX_STEPS = 50

/** The records of one trigger: those that the caller names, and those that are made in their place. */
export class Stage {
  readonly purser: Purser
  readonly named: Named
  /** The amount that the caller wants, in cents. */
  readonly amount: number | undefined
  readonly made: Made[] = []
  /** A secret that the service showed once: of a key or an endpoint. */
  secret: string | undefined
  readonly #mayAdvance: (to: string) => Promise<boolean>
  #customer: string | undefined

  constructor(
    purser: Purser,
    named: Named = {},
    { amount, mayAdvance = async () => false }: { amount?: number; mayAdvance?: (to: string) => Promise<boolean> } = {},
  ) {
    this.purser = purser
    this.named = { ...named }
    this.amount = amount
    this.#mayAdvance = mayAdvance
  }

  /** Notes a record that was made and returns its id. */
  keep(type: string, { id }: { id: string | number }): string {
    this.made.push({ type, id: String(id) })
    return String(id)
  }

  async customer(): Promise<string> {
    this.#customer ??= this.named.customer
    this.#customer ??= this.keep('customer', await this.purser.sandbox.customers.create(person))
    return this.#customer
  }

  async account(): Promise<string> {
    if (this.named.account) return this.named.account
    return this.keep('account', await this.purser.accounts.create({ customerId: await this.customer() }))
  }

  /** An account with money; one that is named is taken as it is. */
  async fundedAccount(): Promise<string> {
    const accountId = await this.account()
    if (this.named.account) return accountId
    const salary = { amount: FUNDS, companyName: 'Sample Payroll', description: 'Salary' }
    this.keep('transaction', await this.purser.sandbox.accounts.receiveAch(accountId, salary))
    return accountId
  }

  /** An external account: the named one, one of the named customer or account, or a new one. */
  async externalAccount(customerId: string): Promise<string> {
    if (this.named.externalAccount) return this.named.externalAccount
    if (this.named.customer || this.named.account) {
      const [known] = (await this.purser.externalAccounts.list(customerId, { limit: 1 }).page()).data
      if (known) return known.id
    }
    return this.newExternalAccount(customerId)
  }

  /** The named external account, or a new one. */
  async ownExternalAccount(): Promise<string> {
    return this.named.externalAccount ?? this.newExternalAccount(await this.customer())
  }

  /** Notes a mandate, and returns the id of its external account. */
  async mandate(externalAccountId: string): Promise<string> {
    const mandate = {
      authorization: 'Online',
      textVersion: '2026-01',
      authorizedAt: '2025-11-03',
      address: '203.0.113.7',
    }
    await this.purser.externalAccounts.giveMandate(externalAccountId, { ...mandate, authorization: 'Online' })
    return externalAccountId
  }

  /** Sends micro-entries to an external account, and returns its id. */
  async verification(externalAccountId: string): Promise<string> {
    await this.purser.externalAccounts.startVerification(externalAccountId, { method: 'MicroEntries' })
    return externalAccountId
  }

  /** Sends wrong amounts for the micro-entries of an external account, and returns its id. */
  async wrongAmounts(externalAccountId: string, times: number): Promise<string> {
    const { entries } = await this.purser.sandbox.externalAccounts.getMicroEntries(externalAccountId)
    const first = entries[0]?.amount === 99 ? 98 : 99
    for (let at = 1; at <= times; at++) {
      const amounts = [first, entries[1]?.amount === at ? 97 : at]
      await this.purser.externalAccounts.confirmVerification(externalAccountId, { amounts })
    }
    return externalAccountId
  }

  async newExternalAccount(customerId: string): Promise<string> {
    // A number has one verification at a time, so that each account has a number of its own.
    const accountNumber = `${randomInt(100_000, 1_000_000)}3210`
    const body = {
      type: 'Person',
      name: 'Grace Sample',
      routingNumber: '021000021',
      accountNumber,
      accountType: 'Checking',
    } as const
    return this.keep('externalAccount', await this.purser.externalAccounts.create(customerId, body))
  }

  async payment(): Promise<string> {
    if (this.named.payment) return this.named.payment
    const accountId = await this.fundedAccount()
    const { customerId } = await this.purser.accounts.get(accountId)
    const counterpartyAccountId = await this.externalAccount(customerId)
    const body = { amount: this.amount ?? 20_00, originalType: 'ACH', description: 'Lunch' } as const
    return this.keep('payment', await this.purser.payments.create(accountId, { ...body, counterpartyAccountId }))
  }

  async recurringPayment(): Promise<string> {
    const accountId = await this.fundedAccount()
    const { customerId } = await this.purser.accounts.get(accountId)
    const counterpartyAccountId = await this.externalAccount(customerId)
    const when = { type: 'achPayment', interval: 'Monthly', startDate: '2099-02-01' } as const
    const body = { accountId, counterpartyAccountId, amount: this.amount ?? 20_00, description: 'Rent', ...when }
    return this.keep('recurringPayment', await this.purser.recurringPayments.create(body))
  }

  /** A virtual card, which is active at once. */
  async card(accountId?: string): Promise<string> {
    if (this.named.card) return this.named.card
    const body = { type: 'individualVirtualDebitCard', accountId: accountId ?? (await this.account()) } as const
    return this.keep('card', await this.purser.cards.create(body))
  }

  async physicalCard(): Promise<string> {
    if (this.named.card) return this.named.card
    const body = { type: 'individualDebitCard', accountId: await this.account(), shippingAddress: address } as const
    return this.keep('card', await this.purser.cards.create(body))
  }

  replaceCard(cardId: string): Promise<Card> {
    return this.purser.cards.replace(cardId, { shippingAddress: address })
  }

  /** An open authorization. */
  async authorization(): Promise<string> {
    if (this.named.authorization) return this.named.authorization
    const cardId = this.named.card ?? (await this.card(await this.fundedAccount()))
    return this.keep('authorization', await this.charge(cardId))
  }

  /** Charges a card and refuses to go on if the charge is declined. */
  async charge(
    cardId: string,
    merchant: { name: string } = NOBODY,
    amount = this.amount ?? 25_00,
  ): Promise<Authorization> {
    const charged = await this.purser.sandbox.authorizations.create(cardId, { amount, merchant })
    if (charged.status !== 'Declined') return charged
    throw new Refusal(
      `the charge of card ${cardId} was declined (${charged.reason}), which emitted authorization.declined: name a card that is active, with money in its account`,
    )
  }

  async application(outcome: keyof typeof ssns): Promise<string> {
    if (this.named.application) return this.named.application
    return this.keep('application', await this.newApplication(outcome))
  }

  newApplication(outcome: keyof typeof ssns): Promise<Application> {
    return this.purser.applications.create({ ...person, dateOfBirth: '1990-01-31', ssn: ssns[outcome] })
  }

  /** A document of an application that awaits it. */
  async document(): Promise<{ applicationId: string; documentId: string; status: string }> {
    const applicationId = await this.application('awaitingDocuments')
    const { documents, status } = await this.purser.applications.get(applicationId)
    const document = this.named.document ? documents.find(({ id }) => id === this.named.document) : documents[0]
    if (document) return { applicationId, documentId: document.id, status: document.status }
    throw new Refusal(
      this.named.document
        ? `application ${applicationId} has no document ${this.named.document}`
        : `application ${applicationId} is ${status} and has no documents: name another one, or none`,
    )
  }

  /** Uploads a document, which then waits for its review. */
  async upload({ applicationId, documentId }: { applicationId: string; documentId: string }): Promise<void> {
    const file = { file: PIXEL, contentType: 'image/png' } as const
    const { status } = await this.purser.applications.uploadDocumentFront(applicationId, documentId, file)
    if (status !== 'Approved') return
    throw new Refusal(
      `the service approves documents as they come, and so it approved application ${applicationId}: start it with PURSER_REVIEW=manual, and documents wait for a review`,
    )
  }

  async partnerUser(): Promise<number> {
    if (this.named.partnerUser) return Number(this.named.partnerUser)
    const user = await this.purser.partnerUsers.create({ userId: Number(await this.customer()) })
    return Number(this.keep('partnerUser', user))
  }

  /** The partner user of a card's owner, who may be enrolled already. */
  async #ownerOf(cardId: string): Promise<void> {
    if (this.named.partnerUser) return
    const { accountId } = await this.purser.cards.get(cardId)
    const { customerId } = await this.purser.accounts.get(accountId)
    this.#customer = customerId
    const filter = { whereClause: '$C1 = $V1', columnNames: 'userId', values: `[${customerId}]`, limit: 1 }
    const [known] = (await this.purser.partnerUsers.list(filter).page()).data
    if (known) this.named.partnerUser = String(known.id)
  }

  async link(bankCardId: string): Promise<string> {
    const body = { partnerUserId: await this.partnerUser(), bankCardId }
    return this.keep('partnerUserCard', await this.purser.partnerUserCards.create(body))
  }

  /** A card with which a partner user earns; a named one is linked if it is not yet. */
  async linkedCard(): Promise<string> {
    if (!this.named.card) {
      const cardId = await this.card(await this.fundedAccount())
      await this.link(cardId)
      return cardId
    }
    const { related } = await this.purser.lookup.get('card', this.named.card)
    if (related.some(({ type }) => type === 'partnerUserCard')) return this.named.card
    await this.#ownerOf(this.named.card)
    await this.link(this.named.card)
    return this.named.card
  }

  /** A settled purchase at a merchant with an offer; the id of its authorization. */
  async purchase(): Promise<string> {
    if (this.named.authorization) return this.named.authorization
    const cardId = await this.linkedCard()
    const { id } = await this.charge(cardId, await this.earningMerchant(), this.amount ?? 100_00)
    this.keep('authorization', { id })
    this.keep('transaction', await this.purser.sandbox.authorizations.settle(id, {}))
    return id
  }

  /** A merchant with a live offer that holds everywhere. */
  async earningMerchant(): Promise<{ name: string }> {
    const query = { userId: '1', page: 0, pageSize: 1, sort: '-commission' } as const
    const [offer] = (await this.purser.offers.listNational(query)).nationalRewardOffers
    if (offer) return { name: offer.merchant.name }
    throw new Refusal(
      'the catalogue has no live national offer, so that no purchase earns: `purser offers import FILE`',
    )
  }

  /** The reward of a purchase. */
  async reward(authorizationId: string): Promise<{ id: string; state: string }> {
    const { related } = await this.purser.lookup.get('authorization', authorizationId)
    const reward = related.find(({ type }) => type === 'reward')
    if (!reward) {
      throw new Refusal(
        `authorization ${authorizationId} earned no reward: the card is not linked to a partner user, no offer fits, or it has not settled`,
      )
    }
    const { state } = await this.purser.rewards.get(reward.id)
    return { id: reward.id, state }
  }

  /** Moves bank time to the payout of a reward. */
  async payOut(rewardId: string): Promise<void> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const { upcoming } = await this.purser.sandbox.clock.get()
      const payout = upcoming.find(({ type, id }) => type === 'reward.paid' && id === rewardId)
      const next = payout ?? upcoming.at(-1)
      if (!next) throw new Refusal(`reward ${rewardId} is not due`)
      await this.advance(next.at)
      if (payout) return
    }
    throw new Refusal(`reward ${rewardId} is due only after ${MAX_STEPS * 20} other things`)
  }

  /** Moves bank time forward, if the caller allows it. */
  async advance(to: string): Promise<void> {
    if (!(await this.#mayAdvance(to))) {
      throw new Refusal(
        `this event needs bank time to move to ${to}, for all records of the organisation: add --advance`,
      )
    }
    await this.purser.sandbox.clock.advance({ to })
  }
}
