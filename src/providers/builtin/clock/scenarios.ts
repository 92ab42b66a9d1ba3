import { hash } from 'node:crypto'
import type { DepositAccount } from '../../../banking/accounts/account.ts'
import type { Application } from '../../../banking/applications/application.ts'
import type { Authorization } from '../../../banking/authorizations/authorization.ts'
import type { Card } from '../../../banking/cards/card.ts'
import type { Customer } from '../../../banking/customers/customer.ts'
import type { ExternalAccount } from '../../../banking/external-accounts/external-account.ts'
import type { Payment } from '../../../banking/payments/payment.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import type { Statement } from '../../../banking/statements/statement.ts'
import type { ListedTransaction } from '../../../banking/transactions/transaction.ts'
import { monthBefore, monthOf } from '../../../base/calendar.ts'
import { clock } from '../../../base/clock.ts'
import { concurrencyLimit } from '../../../base/concurrency-limit.ts'
import type { Answer, Write } from '../../../base/operation.ts'
import type { PartnerUser } from '../../../rewards/records/partner-user.ts'
import type { RewardRecords } from '../../../rewards/records/records.ts'
import type { Scenario } from '../../../sandbox/create-scenario.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import { bankTime, pauseWithoutLimit } from './clock.sql.ts'

export interface Scenarios extends Pick<Sandbox, 'createScenario'> {
  /** The same story, played over the time between the organisation's clock and the present. */
  createDemo(write: Write<Scenario>): Promise<Answer>
}

type Bank = Required<BankingProvider>

/** A story keeps a connection while its steps take others: were all of them kept, none could go on. */
const MAX_PLAYING = 3

export function scenariosOf(
  { database, runOnce }: BankParts,
  bank: Bank,
  sandbox: Omit<Sandbox, 'createScenario'>,
  records: Pick<RewardRecords, 'createPartnerUser' | 'createPartnerUserCard'>,
): Scenarios {
  const inTurn = concurrencyLimit({ total: MAX_PLAYING, perOrganisation: 1 })

  function create(write: Write<Scenario>, asDemo: boolean): Promise<Answer> {
    return inTurn(write.caller.organisationId, () =>
      runOnce.transaction(write, async (transaction) => {
        await pauseWithoutLimit(transaction)
        return play(write, asDemo)
      }),
    )
  }

  /** Each step has a key of its own, so that a story which broke off goes on where it stopped when it is told again. */
  async function play(parent: Write<Scenario>, asDemo: boolean): Promise<Scenario> {
    async function step<Data>(name: string, run: (write: Write<Data>) => Promise<Answer>): Promise<Data> {
      const answer = await run({
        caller: parent.caller,
        requestId: parent.requestId,
        key: {
          text: parent.key.text,
          hash: hash('sha256', Buffer.concat([parent.key.hash, Buffer.from(name)]), 'buffer'),
          fingerprint: Buffer.alloc(32),
          fromCaller: true,
        },
        render: (data) => ({ status: 200, body: JSON.stringify({ data }), replayed: false }),
      })
      return JSON.parse(answer.body).data
    }
    const pass = async (name: string, by: string) => {
      if (asDemo) await step<unknown>(name, (write) => sandbox.advanceClock(write, { by }))
    }
    const receive = (name: string, amount: number, companyName: string, description: string) =>
      step<ListedTransaction>(name, (write) =>
        sandbox.receiveAch(write, { accountId: account.id, amount, companyName, description }),
      )
    const pay = (name: string, amount: number, description: string) =>
      step<Payment>(name, (write) =>
        bank.createPayment(write, {
          accountId: account.id,
          amount,
          counterpartyAccountId: external.id,
          description,
          originalType: 'ACH',
        }),
      )
    const authorize = (name: string, amount: number, merchant: { name: string; category: string; location: string }) =>
      step<Authorization>(name, (write) => sandbox.createAuthorization(write, { cardId: card.id, amount, merchant }))

    const customer = await step<Customer>('customer', (write) =>
      sandbox.createCustomer(write, { name: 'Ada Example', email: 'ada@example.com', phone: '+12125550123', address }),
    )
    const account = await step<DepositAccount>('account', (write) =>
      bank.createAccount(write, { customerId: customer.id }),
    )
    const closed = await step<DepositAccount>('closed account', (write) =>
      bank.createAccount(write, { customerId: customer.id }),
    )
    await step<unknown>('close', (write) => bank.closeAccount(write, { accountId: closed.id, reason: 'ByCustomer' }))
    const external = await step<ExternalAccount>('external account', (write) =>
      bank.createExternalAccount(write, {
        customerId: customer.id,
        type: 'Person',
        name: 'Grace Sample',
        routingNumber: '021000021',
        accountNumber: '9876543210',
        accountType: 'Checking',
      }),
    )
    const salary = await receive('first salary', 2_500_00, 'Sample Payroll', 'Salary')
    const card = await step<Card>('card', (write) =>
      bank.createCard(write, { type: 'individualDebitCard', accountId: account.id, shippingAddress: address }),
    )
    const virtual = await step<Card>('virtual card', (write) =>
      bank.createCard(write, { type: 'individualVirtualDebitCard', accountId: account.id }),
    )
    await pass('the card arrives', 'P5D')
    await step<unknown>('activate', (write) => bank.activateCard(write, card.id))
    const partnerUser = await step<PartnerUser>('partner user', (write) =>
      records.createPartnerUser(write, { userId: Number(customer.id) }),
    )
    await step<unknown>('link', (write) =>
      records.createPartnerUserCard(write, { partnerUserId: partnerUser.id, bankCardId: card.id }),
    )
    const payment = await pay('first rent', 900_00, 'Rent')

    await pass('a fortnight', 'P14D')
    const groceries = await authorize('groceries', 64_20, {
      name: 'Sample Market',
      category: 'Groceries',
      location: 'Springfield, IL',
    })
    await step<unknown>('groceries settle', (write) =>
      sandbox.settleAuthorization(write, { authorizationId: groceries.id }),
    )
    if (asDemo) {
      await pass('to the second month', 'P14D')
      await receive('second salary', 2_500_00, 'Sample Payroll', 'Salary')
      await pay('second rent', 900_00, 'Rent')
      await pass('to the third month', 'P30D')
      await receive('third salary', 2_500_00, 'Sample Payroll', 'Salary')
      await pay('third rent', 900_00, 'Rent')
      await step<unknown>('to the present', (write) => sandbox.advanceClock(write, { to: clock.now().toISOString() }))
    }

    const coffee = await authorize('coffee', 4_50, {
      name: 'Sample Coffee',
      category: 'Restaurants',
      location: 'Springfield, IL',
    })
    const application = await step<Application>('application', (write) =>
      bank.createApplication(write, {
        name: 'Grace Sample',
        dateOfBirth: '1990-01-31',
        // The sandbox asks this one for a document.
        ssn: '000000003',
        email: 'grace@example.com',
        phone: '+12125550124',
        address,
      }),
    )
    const period = monthBefore(monthOf(await bankTime(database, parent.caller.organisationId)))
    const statement = await step<Statement>('statement', (write) =>
      sandbox.createStatement(write, { accountId: account.id, period }),
    )
    return {
      customerId: customer.id,
      accountId: account.id,
      closedAccountId: closed.id,
      cardId: card.id,
      virtualCardId: virtual.id,
      externalAccountId: external.id,
      paymentId: payment.id,
      transactionId: salary.id,
      authorizationId: coffee.id,
      statementId: statement.id,
      applicationId: application.id,
      documentId: application.documents[0]?.id ?? '',
      partnerUserId: partnerUser.id,
    }
  }

  return {
    createScenario: (write) => create(write, false),
    createDemo: (write) => create(write, true),
  }
}

const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
