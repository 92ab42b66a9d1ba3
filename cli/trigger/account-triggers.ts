import type { EventType, OperationId } from '../../client/src/index.ts'
import { Refusal } from '../../ground/failure.ts'
import type { Stage } from './stage.ts'
import type { Trigger } from './trigger.ts'

const account = ['createCustomer', 'createAccount'] as const satisfies OperationId[]
const fundedAccount = [...account, 'receiveAch'] as const satisfies OperationId[]
const payment = [...fundedAccount, 'createExternalAccount', 'createPayment'] as const satisfies OperationId[]
const ofAccount = ['account', 'customer'] as const

/** Events of customers, their accounts and the money in them. */
export const accountTriggers = {
  'account.created': {
    does: 'Opens an account.',
    takes: ['customer'],
    calls: account,
    play: (stage) => stage.account(),
  },
  'account.closed': {
    does: 'Closes an account.',
    takes: ofAccount,
    calls: [...account, 'closeAccount'],
    before: ['unfreezeAccount', 'reopenAccount', 'createPayment'],
    play: async (stage) => (await close(stage, await stage.account())).id,
  },
  'account.reopened': {
    does: 'Reopens a closed account.',
    takes: ofAccount,
    calls: [...account, 'closeAccount', 'reopenAccount'],
    before: ['closeAccount'],
    play: async (stage) => {
      const id = await stage.account()
      if (!stage.named.account) await close(stage, id)
      return (await stage.purser.accounts.reopen(id)).id
    },
  },
  'account.frozen': {
    does: 'Freezes an account.',
    takes: ofAccount,
    calls: [...account, 'freezeAccount'],
    before: ['unfreezeAccount', 'reopenAccount'],
    play: async (stage) => (await stage.purser.accounts.freeze(await stage.account())).id,
  },
  'account.unfrozen': {
    does: 'Unfreezes a frozen account.',
    takes: ofAccount,
    calls: [...account, 'freezeAccount', 'unfreezeAccount'],
    before: ['freezeAccount'],
    play: async (stage) => {
      const id = await stage.account()
      if (!stage.named.account) await stage.purser.accounts.freeze(id)
      return (await stage.purser.accounts.unfreeze(id)).id
    },
  },
  'account.limitsChanged': {
    does: 'Sets a limit of the payments of an account.',
    takes: ofAccount,
    calls: [...account, 'setAccountLimits'],
    play: async (stage) => {
      const id = await stage.account()
      const hard = stage.amount ?? 500_000
      return (await stage.purser.accountLimits.set(id, { day: { hard } })).id
    },
  },
  'account.paymentsBlocked': {
    does: 'Blocks outgoing payments of an account.',
    takes: ofAccount,
    calls: [...account, 'blockPayments'],
    play: (stage) => block(stage),
  },
  'account.paymentsReleased': {
    does: 'Blocks outgoing payments of an account and releases them.',
    takes: ofAccount,
    calls: [...account, 'blockPayments', 'releasePayments'],
    play: async (stage) => {
      const id = await block(stage)
      return (await stage.purser.accounts.releasePayments(id, { reason: 'purser trigger' })).id
    },
  },
  'accountHold.created': {
    does: 'Holds an amount on an account.',
    takes: ofAccount,
    calls: [...fundedAccount, 'createAccountHold'],
    before: ['reopenAccount'],
    play: (stage) => hold(stage).then(({ id }) => id),
  },
  'accountHold.released': {
    does: 'Holds an amount on an account and releases it.',
    takes: ofAccount,
    calls: [...fundedAccount, 'createAccountHold', 'releaseAccountHold'],
    before: ['reopenAccount'],
    play: async (stage) => {
      const { id, accountId } = await hold(stage)
      return (await stage.purser.accountHolds.release(accountId, id)).id
    },
  },
  'customer.created': {
    does: 'Creates a customer without an application.',
    takes: [],
    calls: ['createCustomer'],
    play: (stage) => stage.customer(),
  },
  'externalAccount.created': {
    does: 'Adds an external account to a customer.',
    takes: ['customer'],
    calls: ['createCustomer', 'createExternalAccount'],
    play: async (stage) => stage.newExternalAccount(await stage.customer()),
  },
  'externalAccount.mandateGiven': {
    does: 'Notes the mandate of a customer for debits.',
    takes: ['externalAccount', 'customer'],
    calls: ['createCustomer', 'createExternalAccount', 'giveMandate'],
    play: async (stage) => stage.mandate(await stage.ownExternalAccount()),
  },
  'externalAccount.mandateRevoked': {
    does: 'Revokes a mandate.',
    takes: ['externalAccount', 'customer'],
    calls: ['createCustomer', 'createExternalAccount', 'giveMandate', 'revokeMandate'],
    play: async (stage) => {
      const id = await stage.mandate(await stage.ownExternalAccount())
      await stage.purser.externalAccounts.revokeMandate(id)
      return id
    },
  },
  'externalAccount.verificationStarted': {
    does: 'Sends micro-entries to an external account.',
    takes: ['externalAccount', 'customer'],
    calls: ['createCustomer', 'createExternalAccount', 'startVerification'],
    play: async (stage) => stage.verification(await stage.ownExternalAccount()),
  },
  'externalAccount.verificationAttempted': {
    does: 'Sends wrong amounts for micro-entries.',
    takes: ['externalAccount', 'customer'],
    calls: ['createCustomer', 'createExternalAccount', 'startVerification', 'confirmVerification'],
    play: async (stage) => stage.wrongAmounts(await stage.verification(await stage.ownExternalAccount()), 1),
  },
  'externalAccount.verificationFailed': {
    does: 'Sends wrong amounts for micro-entries three times.',
    takes: ['externalAccount', 'customer'],
    calls: [
      'createCustomer',
      'createExternalAccount',
      'startVerification',
      ...Array<'confirmVerification'>(3).fill('confirmVerification'),
    ],
    play: async (stage) => stage.wrongAmounts(await stage.verification(await stage.ownExternalAccount()), 3),
  },
  'externalAccount.verified': {
    does: 'Attests that an external account was verified.',
    takes: ['externalAccount', 'customer'],
    calls: ['createCustomer', 'createExternalAccount', 'attestExternalAccount'],
    play: async (stage) => {
      const id = await stage.ownExternalAccount()
      await stage.purser.externalAccounts.attest(id, { reference: 'purser trigger' })
      return id
    },
  },
  'externalAccount.deleted': {
    does: 'Deletes an external account.',
    takes: ['externalAccount', 'customer'],
    calls: ['createCustomer', 'createExternalAccount', 'deleteExternalAccount'],
    play: async (stage) => {
      const id = await stage.ownExternalAccount()
      await stage.purser.externalAccounts.delete(id)
      return id
    },
  },
  'payment.created': {
    does: 'Pays an external account by ACH.',
    takes: ['account', 'customer', 'externalAccount'],
    calls: payment,
    before: ['receiveAch', 'unfreezeAccount', 'reopenAccount'],
    play: (stage) => stage.payment(),
  },
  'payment.returned': {
    does: 'Returns a payment, as the receiving bank would.',
    takes: ['payment', 'account', 'customer', 'externalAccount'],
    calls: [...payment, 'returnPayment'],
    play: async (stage) => {
      const id = await stage.payment()
      await stage.purser.sandbox.payments.return(id, { returnCode: 'R01' })
      return id
    },
  },
  'statement.created': {
    does: 'Writes the statement of a month that is over. For a new account, bank time moves to the end of its first month.',
    takes: ofAccount,
    calls: ['createScenario'],
    movesTime: true,
    play: writeStatement,
  },
  'transaction.created': {
    does: 'Books money that another bank sends.',
    takes: ofAccount,
    calls: fundedAccount,
    before: ['reopenAccount'],
    play: async (stage) => {
      const body = { amount: stage.amount ?? 20_00, companyName: 'Sample Payroll' }
      const accountId = await stage.account()
      return stage.keep('transaction', await stage.purser.sandbox.accounts.receiveAch(accountId, body))
    },
  },
  'verificationToken.created': {
    does: 'Creates a verification token of a customer.',
    takes: ['customer'],
    calls: ['createCustomer', 'createVerificationToken'],
    play: async (stage) => {
      await stage.purser.customers.createVerificationToken(await stage.customer())
      return undefined
    },
  },
} satisfies Partial<Record<EventType, Trigger>>

function close(stage: Stage, id: string): Promise<{ id: string }> {
  return stage.purser.accounts.close(id, { reason: 'ByCustomer' })
}

/** A scenario has an account of the month before, with its statement. A named account may have to wait for its month's end. */
async function writeStatement(stage: Stage): Promise<string> {
  const { purser, named } = stage
  if (!named.account && !named.customer) {
    const scenario = await purser.sandbox.scenarios.create({})
    for (const [name, id] of Object.entries(scenario)) stage.keep(name.replace(/Id$/, ''), { id })
    return scenario.statementId
  }
  const accountId = await stage.account()
  const [{ now }, { createdAt }] = await Promise.all([purser.sandbox.clock.get(), purser.accounts.get(accountId)])
  const written = new Set<string>()
  for await (const { period } of purser.statements.list({ accountId })) written.add(period)
  const missing = monthsBetween(createdAt, now).find((period) => !written.has(period))
  if (missing) return stage.keep('statement', await purser.sandbox.statements.create(accountId, { period: missing }))
  const month = now.slice(0, 7)
  await stage.advance(`${monthAfter(month)}-01T00:00:00Z`)
  for await (const { id, period } of purser.statements.list({ accountId })) if (period === month) return id
  throw new Refusal(`account ${accountId} got no statement for ${month}: an account that was closed before has none`)
}

/** The months that are over, from the one of `since` to the last one before `now`. */
function monthsBetween(since: string, now: string): string[] {
  const months: string[] = []
  for (let month = since.slice(0, 7); month < now.slice(0, 7); month = monthAfter(month)) months.push(month)
  return months
}

function monthAfter(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 7)
}

async function hold(stage: Stage): Promise<{ id: string; accountId: string }> {
  const accountId = await stage.fundedAccount()
  const body = { amount: stage.amount ?? 20_00, reason: 'Other', description: 'Deposit' } as const
  const id = stage.keep('accountHold', await stage.purser.accountHolds.create(accountId, body))
  return { id, accountId }
}

async function block(stage: Stage): Promise<string> {
  return (await stage.purser.accounts.blockPayments(await stage.account(), { reason: 'purser trigger' })).id
}
