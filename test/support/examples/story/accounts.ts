import { applicant } from '../../world.ts'
import { address, type Call, type Cast, counterparty } from './cast.ts'

/** A customer with an account that received a salary and paid a rent. */
export async function openAccount(call: Call): Promise<Cast> {
  const { id: customerId } = await call('createCustomer', {
    body: { name: applicant.name, email: applicant.email, phone: applicant.phone, address },
  })
  await call('createVerificationToken', { params: { customerId } })
  const { id: accountId } = await call('createAccount', { body: { customerId, tags: { purpose: 'household' } } })
  const params = { accountId }
  const salary = { amount: 2_500_00, companyName: 'Sample Payroll', description: 'Salary' }
  const transaction = await call('receiveAch', { params, body: salary })
  const external = await call('createExternalAccount', { params: { customerId }, body: counterparty })
  const rent = { amount: 900_00, counterpartyAccountId: external.id, description: 'Rent', originalType: 'ACH' }
  await call('createPayment', { params, body: rent })
  const mistaken = await call('createPayment', { params, body: { ...rent, amount: 50_00, description: 'Deposit' } })
  await call('returnPayment', { params: { paymentId: mistaken.id }, body: { returnCode: 'R03' } })
  await call('getTransaction', { params: { transactionId: transaction.id }, query: { accountId } })
  await call('listTransactions', { query: { accountId, limit: 2 } })
  await call('listExternalAccounts', { params: { customerId } })
  const unused = await call('createExternalAccount', { params: { customerId }, body: counterparty })
  const married = { name: 'Grace Example', accountType: 'Savings' }
  await call('updateExternalAccount', { params: { externalAccountId: unused.id }, body: married })
  const savings = { params: { externalAccountId: unused.id } }
  await call('startVerification', { ...savings, body: { method: 'MicroEntries' } })
  const { entries } = await call('getMicroEntries', savings)
  await call('confirmVerification', { ...savings, body: { amounts: [entries[0].amount, entries[1].amount] } })
  await call('attestExternalAccount', { ...savings, body: { reference: 'case 2026-0042' } })
  const mandate = { authorization: 'Online', textVersion: '2026-01', authorizedAt: '2025-11-03T15:04:05Z' }
  await call('giveMandate', { ...savings, body: { ...mandate, address: '203.0.113.7' } })
  const topUp = { ...rent, counterpartyAccountId: unused.id, amount: 40_00, description: 'Top up' }
  const debit = await call('createPayment', { params, body: { ...topUp, direction: 'Debit' } })
  await call('returnPayment', { params: { paymentId: debit.id }, body: { returnCode: 'R01' } })
  const retry = await call('retryPayment', { params: { paymentId: debit.id } })
  await call('reversePayment', { params: { paymentId: retry.id }, body: { reason: 'Duplicate' } })
  await call('revokeMandate', savings)
  await call('deleteExternalAccount', { params: { externalAccountId: unused.id } })
  const secondAccountId = await moveAccount(call, customerId)
  return { customerId, accountId, secondAccountId, externalAccountId: external.id }
}

async function moveAccount(call: Call, customerId: string): Promise<string> {
  const { id: accountId } = await call('createAccount', { body: { customerId } })
  const params = { accountId }
  const blocked = { params, body: { reason: 'Return R10 of a debit' } }
  await call('blockPayments', blocked)
  await call('releasePayments', { params, body: { reason: 'The customer has paid' } })
  await call('freezeAccount', { params })
  await call('unfreezeAccount', { params })
  await call('closeAccount', { params, body: { reason: 'ByCustomer' } })
  await call('reopenAccount', { params })
  return accountId
}

/** A levy that is released, and a hold of a dispute that stays. Returns the id of the second. */
export async function holdMoney(call: Call, { accountId }: Cast): Promise<string> {
  const params = { accountId }
  const levy = { amount: 200_00, reason: 'LegalOrder', description: 'Levy 2026-0042' }
  const { id: holdId } = await call('createAccountHold', { params, body: { ...levy, expiresAt: '2026-12-31' } })
  await call('releaseAccountHold', { params: { accountId, holdId } })
  const body = { amount: 15_00, reason: 'Dispute', description: 'Case 7' }
  const disputed = await call('createAccountHold', { params, body })
  await call('listAccountHolds', { params, query: { status: 'Active', limit: 2 } })
  await call('getAccountHold', { params: { accountId, holdId: disputed.id } })
  return disputed.id
}
