import type { DepositAccount } from '../../banking/accounts/account.ts'
import type { Application } from '../../banking/applications/application.ts'
import type { Authorization } from '../../banking/authorizations/authorization.ts'
import type { ChargeInput } from '../../banking/authorizations/charge.ts'
import type { Card } from '../../banking/cards/card.ts'
import type { Customer } from '../../banking/customers/customer.ts'
import type { ExternalAccount } from '../../banking/external-accounts/external-account.ts'
import type { Payment } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import type { Statement } from '../../banking/statements/statement.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import { monthBefore, monthOf } from '../../base/calendar.ts'
import { clock } from '../../base/clock.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { PartnerUser } from '../../rewards/records/partner-user.ts'
import type { RewardRecords } from '../../rewards/records/records.ts'
import type { Scenario } from '../../sandbox/create-scenario.ts'
import type { Simulations } from '../../sandbox/sandbox.ts'
import { createAccount } from '../accounts/accounts.ts'
import { createAuthorization } from '../cards/authorizations.ts'
import { createCustomer } from '../customers/customers.ts'
import { findEarningMerchant } from '../offers/offers.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import type { Plot } from './scenario-plot.ts'

/** The operations that a scenario calls, and how it calls them. */
export interface Story {
  parts: BankParts
  bank: Required<BankingProvider>
  sandbox: Omit<Simulations, 'createScenario'>
  records: Pick<RewardRecords, 'createPartnerUser' | 'createPartnerUserCard'>
  plot: Plot
  /** Whether the clock moves on between the steps, as in the demo of the first start. */
  asDemo: boolean
  /** Whether the customer also funds the account. */
  debits: boolean
  bankTime(): Promise<string>
  /** Runs one operation under a key that is derived from the scenario's, and returns its record. */
  step<Data>(name: string, run: (write: Write<Data>) => Promise<Answer>): Promise<Data>
}

interface Holder {
  customer: Customer
  account: DepositAccount
  closed: DepositAccount
  external: ExternalAccount
}

interface Cards {
  card: Card
  virtual: Card
  partnerUser: PartnerUser
}

const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
const market = { name: 'Sample Market', category: 'Groceries', location: 'Springfield, IL' }
const mandate = { authorization: 'Online', textVersion: '1', address: '203.0.113.7' } as const
/** The other banks of a sandbox return debits from this number with R01. */
const EMPTY_ACCOUNT = '9990000001'
const coffeeShop = { name: 'Sample Coffee', category: 'Restaurants', location: 'Springfield, IL' }

/** Plays a scenario: a customer with a funded account, cards, payments, a purchase and an application, and debits if they are asked for. */
export async function playScenario(story: Story): Promise<Scenario> {
  const { plot } = story
  const holder = await openAccounts(story)
  const { account } = holder
  const salary = await receiveSalary(story, account, 'first salary')
  const cards = await issueCards(story, holder)
  const rent = await payRent(story, holder, 'first rent')
  await pass(story, 'a fortnight', 'P14D')
  const groceries = await authorize(story, cards, 'groceries', plot.groceries, await marketOf(story))
  await story.step<unknown>('groceries settle', (write) =>
    story.sandbox.settleAuthorization(write, { authorizationId: groceries.id }),
  )
  if (story.asDemo) await liveOn(story, holder)
  const funding = story.debits ? await fund(story, holder) : {}
  const coffee = await authorize(story, cards, 'coffee', plot.coffee, coffeeShop)
  const application = await apply(story)
  const period = monthBefore(monthOf(await story.bankTime()))
  const statement = await story.step<Statement>('statement', (write) =>
    story.sandbox.createStatement(write, { accountId: account.id, period }),
  )
  return {
    customerId: holder.customer.id,
    accountId: account.id,
    closedAccountId: holder.closed.id,
    cardId: cards.card.id,
    virtualCardId: cards.virtual.id,
    externalAccountId: holder.external.id,
    paymentId: rent.id,
    transactionId: salary.id,
    authorizationId: coffee.id,
    statementId: statement.id,
    applicationId: application.id,
    documentId: application.documents[0]?.id ?? '',
    partnerUserId: cards.partnerUser.id,
    ...funding,
  }
}

/**
 * Opens the accounts. The customer's own was opened in the month before, so that it has a statement. The demo's clock
 * starts 75 days back and makes that history by itself.
 */
async function openAccounts({ parts, bank, plot, asDemo, bankTime, step }: Story): Promise<Holder> {
  const day = String(plot.openedOn).padStart(2, '0')
  const openedAt = asDemo ? null : `${monthBefore(monthOf(await bankTime()))}-${day}T12:00:00.000Z`
  const person = { name: plot.customer, email: plot.email, phone: '+12125550123', address }
  const customer = await step<Customer>('customer', (write) => createCustomer(parts, write, person, openedAt))
  const account = await step<DepositAccount>('account', (write) =>
    createAccount(parts, write, { customerId: customer.id }, openedAt),
  )
  const closed = await step<DepositAccount>('closed account', (write) =>
    bank.createAccount(write, { customerId: customer.id }),
  )
  await step<unknown>('close', (write) => bank.closeAccount(write, { accountId: closed.id, reason: 'ByCustomer' }))
  const external = await step<ExternalAccount>('external account', (write) =>
    bank.createExternalAccount(write, {
      customerId: customer.id,
      type: 'Person',
      name: plot.payee,
      routingNumber: '021000021',
      accountNumber: '9876543210',
      accountType: 'Checking',
    }),
  )
  return { customer, account, closed, external }
}

/** Issues an active card and a virtual one, and enrols the customer, who earns with the first. */
async function issueCards(story: Story, { customer, account }: Holder): Promise<Cards> {
  const { bank, records, step } = story
  const card = await step<Card>('card', (write) =>
    bank.createCard(write, { type: 'individualDebitCard', accountId: account.id, shippingAddress: address }),
  )
  const virtual = await step<Card>('virtual card', (write) =>
    bank.createCard(write, { type: 'individualVirtualDebitCard', accountId: account.id }),
  )
  await pass(story, 'the card arrives', 'P5D')
  await step<unknown>('activate', (write) => bank.activateCard(write, card.id))
  const partnerUser = await step<PartnerUser>('partner user', (write) =>
    records.createPartnerUser(write, { userId: Number(customer.id) }),
  )
  const link = { partnerUserId: partnerUser.id, bankCardId: card.id }
  await step<unknown>('link', (write) => records.createPartnerUserCard(write, link))
  return { card, virtual, partnerUser }
}

/** The shop of the purchase: one with a live national offer, so that it earns, if the catalogue has any. */
async function marketOf({ parts, plot, bankTime }: Story): Promise<ChargeInput['merchant']> {
  const earning = await findEarningMerchant(parts.database, await bankTime(), plot.groceries)
  return earning ? { ...market, ...earning } : market
}

/** Funds the account from two accounts of the customer: one has the money, and the bank of the other returns the debit. */
async function fund(story: Story, { customer, account }: Holder): Promise<Partial<Scenario>> {
  const { bank, sandbox, plot, step } = story
  const debitFrom = async (externalAccountId: string, name: string) => {
    await step<unknown>(`${name}: mandate`, async (write) =>
      bank.giveMandate(write, { externalAccountId, ...mandate, authorizedAt: await story.bankTime() }),
    )
    const debit = { amount: plot.topUp, description: 'Top up', originalType: 'ACH', direction: 'Debit' } as const
    return step<Payment>(`${name}: debit`, (write) =>
      bank.createPayment(write, { accountId: account.id, counterpartyAccountId: externalAccountId, ...debit }),
    )
  }
  const open = async (name: string, accountNumber: string) => {
    const { id } = await step<ExternalAccount>(`${name}: external account`, (write) =>
      bank.createExternalAccount(write, {
        ...{ customerId: customer.id, type: 'Person', name: plot.customer, accountType: 'Checking' },
        ...{ routingNumber: '021000021', accountNumber },
      }),
    )
    await verify(story, id, name)
    return id
  }
  const fundingAccountId = await open('checking', '9876501234')
  const debit = await debitFrom(fundingAccountId, 'checking')
  const returned = await debitFrom(await open('empty', EMPTY_ACCOUNT), 'empty')
  if (returned.status === 'Sent')
    await step<unknown>('empty: return', (write) =>
      sandbox.returnPayment(write, { paymentId: returned.id, returnCode: 'R01' }),
    )
  return { fundingAccountId, debitId: debit.id, returnedDebitId: returned.id }
}

/** Verifies an external account by micro-entries. Those in a file take days: the operator attests the account instead. */
async function verify({ parts, bank, sandbox, step }: Story, externalAccountId: string, name: string): Promise<void> {
  if (parts.ach !== 'instant') {
    const reference = 'sample check'
    await step<unknown>(`${name}: attest`, (write) =>
      bank.attestExternalAccount(write, { externalAccountId, reference }),
    )
    return
  }
  await step<unknown>(`${name}: micro-entries`, (write) =>
    bank.startVerification(write, { externalAccountId, method: 'MicroEntries' }),
  )
  await step<unknown>(`${name}: confirm`, async (write) => {
    const { entries } = await sandbox.getMicroEntries(write.caller, externalAccountId)
    const amounts = entries.filter(({ direction }) => direction === 'Credit').map(({ amount }) => amount)
    return bank.confirmVerification(write, { externalAccountId, amounts })
  })
}

/** Two more months of salary and rent, up to the present. */
async function liveOn(story: Story, holder: Holder): Promise<void> {
  await pass(story, 'to the second month', 'P14D')
  await receiveSalary(story, holder.account, 'second salary')
  await payRent(story, holder, 'second rent')
  await pass(story, 'to the third month', 'P30D')
  await receiveSalary(story, holder.account, 'third salary')
  await payRent(story, holder, 'third rent')
  await story.step<unknown>('to the present', (write) =>
    story.sandbox.advanceClock(write, { to: clock.now().toISOString() }),
  )
}

async function pass({ asDemo, sandbox, step }: Story, name: string, by: string): Promise<void> {
  if (asDemo) await step<unknown>(name, (write) => sandbox.advanceClock(write, { by }))
}

function receiveSalary(
  { sandbox, plot, step }: Story,
  account: DepositAccount,
  name: string,
): Promise<ListedTransaction> {
  const salary = { amount: plot.salary, companyName: 'Sample Payroll', description: 'Salary' }
  return step(name, (write) => sandbox.receiveAch(write, { accountId: account.id, ...salary }))
}

function payRent({ bank, plot, step }: Story, { account, external }: Holder, name: string): Promise<Payment> {
  const rent = { amount: plot.rent, description: 'Rent', originalType: 'ACH' } as const
  return step(name, (write) =>
    bank.createPayment(write, { accountId: account.id, counterpartyAccountId: external.id, ...rent }),
  )
}

/** Authorizes a purchase. It is made up, so no app is asked about it. */
function authorize(
  { parts, step }: Story,
  { card }: Cards,
  name: string,
  amount: number,
  merchant: ChargeInput['merchant'],
): Promise<Authorization> {
  const bank = { ...parts, decision: undefined }
  return step(name, (write) => createAuthorization(bank, write, { cardId: card.id, amount, merchant }))
}

/** Applies for another account. The sandbox asks for a document if the SSN is this one. */
function apply({ bank, plot, step }: Story): Promise<Application> {
  return step('application', (write) =>
    bank.createApplication(write, {
      name: plot.payee,
      dateOfBirth: '1990-01-31',
      ssn: '000000003',
      email: plot.payeeEmail,
      phone: '+12125550124',
      address,
    }),
  )
}
