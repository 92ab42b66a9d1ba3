import type { Recorder } from '../recorder.ts'
import { type Call, type Cast, counterparty, type Receiver } from './cast.ts'

/** Payments above a limit of their account, and the work of a reviewer, who has a key of their own. */
export async function reviewPayments(call: Call, { customerId, externalAccountId }: Cast): Promise<void> {
  const { id: accountId } = await call('createAccount', { body: { customerId } })
  const { key } = await call('createApiKey', { body: { name: 'Reviewer', scopes: ['review:write'] } })
  const params = { accountId }
  await call('receiveAch', { params: { accountId }, body: { amount: 2_500_00, companyName: 'Sample Payroll' } })
  const body = { payment: { soft: 500_00, hard: 5_000_00 }, day: { hard: 10_000_00 }, overdraft: 100_00 }
  await call('setAccountLimits', { params, body })
  const order = {
    amount: 600_00,
    counterpartyAccountId: externalAccountId,
    description: 'Invoice',
    originalType: 'ACH',
  }
  const first = await call('createPayment', { params, body: order })
  const second = await call('createPayment', { params, body: order })
  await call('getAccountLimits', { params })
  await call('listReviewPayments', { key, query: { limit: 2 } })
  const reason = 'The invoice was checked'
  await call('approvePayment', { key, params: { paymentId: first.id }, body: { reason } })
  const wrong = 'The invoice is not known'
  await call('rejectPayment', { key, params: { paymentId: second.id }, body: { reason: wrong } })
  await call('setAccountLimits', { params, body: {} })
}

/** External accounts that the screening leaves to a reviewer. */
export async function reviewAccounts(
  { call, key: ownKey }: Recorder,
  receiver: Receiver,
  { customerId }: Cast,
): Promise<void> {
  const { key } = await call('createApiKey', { body: { name: 'Reviewer of accounts', scopes: ['review:write'] } })
  const path = `/v0/banking/customers/${customerId}/external-accounts`
  const [approved, rejected] = await receiver.withScreening(async (bank) => {
    const add = async () =>
      (await bank.call('POST', path, { key: ownKey(), body: counterparty })).json.data.id as string
    return [await add(), await add()] as const
  })
  await call('listReviewExternalAccounts', { key, query: { limit: 2 } })
  const approval = { reason: 'The holder was called' }
  await call('approveExternalAccount', { key, params: { externalAccountId: approved }, body: approval })
  const rejection = { reason: 'The holder is not known' }
  await call('rejectExternalAccount', { key, params: { externalAccountId: rejected }, body: rejection })
}
