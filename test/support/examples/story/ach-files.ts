import type { TestBank } from '../../harness.ts'
import { incomingFile } from '../../rails/incoming.ts'
import { applicant, type World } from '../../world.ts'
import type { Recorder } from '../recorder.ts'
import { type Cast, counterparty, NOW } from './cast.ts'

/** A payment that a reviewer stops, and that is canceled before it leaves. */
export async function stopPayment(
  bank: TestBank,
  { call, key }: Recorder,
  { accountId, externalAccountId }: Cast,
): Promise<void> {
  const path = `/v0/banking/accounts/${accountId}/payments`
  const body = { amount: 75_00, counterpartyAccountId: externalAccountId, description: 'Repairs', originalType: 'ACH' }
  // Lists of transfers show the id of the request, which has to be the same at every run.
  const headers = { 'x-request-id': '573fd188-e7e8-450d-a54b-45ff47fa5c94' }
  const { json } = await bank.call('POST', path, { key: key(), body, headers })
  const { key: reviewer } = await call('createApiKey', { body: { name: 'Reviewer', scopes: ['review:write'] } })
  const reason = 'The payee is not known'
  await call('stopPayment', { key: reviewer, params: { paymentId: json.data.id }, body: { reason } })
  await call('cancelPayment', { params: { paymentId: json.data.id } })
}

/** A payment that leaves with a file, of an organisation of its own: its time goes on. */
export async function sendFile(bank: TestBank, { call }: Recorder): Promise<Pick<World, 'achBatch' | 'achFile'>> {
  const { apiKey } = await call('createOrganisation', { body: { now: NOW, frozen: true } })
  const post = async (path: string, body: unknown) =>
    (await bank.call('POST', path, { key: apiKey.key, body })).json.data
  const { id: customerId } = await post('/v0/sandbox/customers', { name: applicant.name })
  const { id: accountId } = await post('/v0/banking/accounts', { customerId })
  const external = await post(`/v0/banking/customers/${customerId}/external-accounts`, counterparty)
  await post(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 2_500_00, companyName: 'Sample Payroll' })
  const rent = { amount: 900_00, counterpartyAccountId: external.id, description: 'Rent', originalType: 'ACH' }
  await post(`/v0/banking/accounts/${accountId}/payments`, rent)
  await post('/v0/sandbox/clock/advance', { to: 'next' })
  const own = { key: apiKey.key }
  const [file] = await call('listAchFiles', { ...own, query: { direction: ['Outgoing'], limit: 2 } })
  await call('getAchFile', { ...own, params: { achFileId: file.id } })
  await call('getAchFileContent', { ...own, params: { achFileId: file.id } })
  const [batch] = await call('listAchBatches', { ...own, query: { status: ['Clearing'], limit: 2 } })
  await call('getAchBatch', { ...own, params: { achBatchId: batch.id } })
  await call('listAchEntries', { ...own, params: { achBatchId: batch.id }, query: { limit: 2 } })
  return { achBatch: batch.id, achFile: file.id }
}

/** A credit and a debit that another bank sent; the debit is returned. */
export async function receiveFile(
  bank: TestBank,
  { call, key }: Recorder,
  { accountId }: Cast,
  organisationId: number,
): Promise<string> {
  const { json } = await bank.call('GET', `/v0/banking/accounts/${accountId}`, { key: key() })
  const { accountNumber } = json.data
  const entries = [
    { sequence: 1, code: 22, amount: 1_250_00, accountNumber, name: 'ADA SAMPLE' },
    { sequence: 2, code: 27, amount: 39_00, accountNumber, name: 'ADA SAMPLE' },
  ]
  const bytes = incomingFile({ entries, settlesOn: '2026-06-12', batch: { companyName: 'SAMPLE GYM' } })
  await bank.takeFile({ name: '20260612-A.ach', bytes, organisationId })
  const [debit] = await call('listReceivedPayments', { query: { accountId, direction: ['Debit'], limit: 2 } })
  await call('returnReceivedPayment', { params: { receivedPaymentId: debit.id }, body: { returnCode: 'R10' } })
  await call('getAchReconciliation', { query: { date: '2026-06-12' } })
  return debit.id
}
