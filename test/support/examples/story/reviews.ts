import { signIn } from '../../people/sign-in.ts'
import type { Recorder } from '../recorder.ts'
import { type Cast, counterparty, type Receiver } from './cast.ts'

/** Payments above a limit of their account, and the work of a reviewer, who has a key of their own. */
export async function reviewPayments(
  recorder: Recorder,
  receiver: Receiver,
  { customerId, externalAccountId }: Cast,
): Promise<string> {
  const { call } = recorder
  const { id: accountId } = await call('createAccount', { body: { customerId } })
  const { key } = await call('createApiKey', { body: { name: 'Reviewer', scopes: ['review:write'] } })
  const params = { accountId }
  await call('receiveAch', { params: { accountId }, body: { amount: 5_000_00, companyName: 'Sample Payroll' } })
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
  const proposal = await proposeApproval(
    recorder,
    receiver,
    async () => (await call('createPayment', { params, body: order })).id,
  )
  await call('setAccountLimits', { params, body: {} })
  return proposal
}

/** Approvals of payments that wait for a second person. Returns one that still waits. */
async function proposeApproval({ call }: Recorder, receiver: Receiver, pay: () => Promise<string>): Promise<string> {
  return receiver.withSignatures(async (bank) => {
    const { organisation } = await call('getMe')
    const [row] = await bank.database.query<{ name: string }>(`select name from organisation where id = $1::bigint`, [
      Number(organisation.id),
    ])
    const roles = { [row?.name ?? '']: 'administrator' }
    const { key } = await call('createApiKey', { body: { name: 'Reviewer of payments', scopes: ['review:write'] } })
    const { token } = await signIn(bank, roles, { name: 'Grace Hopper', kind: 'command' })
    const body = { reason: 'The invoice was checked' }
    const headers = { 'x-request-id': '0e0fc6ea-9f1c-4c5b-9f0c-4f8c7c6d2a51' }
    const propose = async () => {
      const reply = await bank.call('POST', `/v0/review/payments/${await pay()}/approve`, { key, body, headers })
      return { proposalId: reply.json.data.id as string }
    }
    const approved = await propose()
    await call('listProposals', { key: token, query: { state: 'Waiting', limit: 2 } })
    await call('getProposal', { key: token, params: approved })
    await call('approveProposal', { key: token, params: approved, body: { reason: 'I called the payee' } })
    await call('rejectProposal', { key: token, params: await propose(), body: { reason: 'The payee is not known' } })
    await call('withdrawProposal', { key, params: await propose() })
    const rights = { role: 'administrator', reason: 'Grace leads the team now' }
    await call('permitPersonRights', { key: token, params: { personId: '1000042' }, body: rights })
    return (await propose()).proposalId
  })
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
