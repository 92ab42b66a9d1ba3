import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advance, ask, authorize, makeFunded, makeVirtualCard } from '../../../test/support/cards.ts'
import { ENCRYPTION_KEY } from '../../../test/support/cells/home-cell.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../../test/support/harness.ts'
import { makeExternalAccount, pay } from '../../../test/support/ledger.ts'
import { signIn } from '../../../test/support/people/sign-in.ts'
import { applicant } from '../../../test/support/world.ts'
import { createOperatorKey } from '../../access/operator-keys.ts'
import { type Database, openDatabase, plainTimeouts } from '../../database/database.ts'
import { eraseCustomer } from '../erasure/erase.ts'
import { verifyRecords } from './verify-records.ts'

let original: TestDatabase
let copy: TestDatabase
let database: Database
/** Ids of records by their kind. */
const made: Record<string, string> = {}

const DAY_MS = 86_400_000
const breachesIn = (of: Database, keepAnswersMs = 90 * DAY_MS) =>
  verifyRecords(of, { encryptionKeys: [ENCRYPTION_KEY], keepAnswersMs })

beforeAll(async () => {
  original = await createDatabase()
  const bank = await openTestBank({ on: original, signatures: { from: { personalExport: 0 }, expiryMs: 30 * DAY_MS } })
  await makeRecords(bank)
  expect(await breachesIn(bank.database), 'records that the service has written').toEqual([])
  await bank.close()
})
afterAll(() => original.drop())

/** Records of each kind that is compared, in states of several events, and an erased customer. */
async function makeRecords(bank: TestBank): Promise<void> {
  const post = (path: string, body: unknown = {}) => ask(bank, 'POST', path, body)
  made.apiKey = String(
    (
      await createOperatorKey(bank.database, 'sandbox', {
        organisation: 'first',
        name: 'App',
        scopes: ['banking:read'],
      })
    ).id,
  )
  await post(`/v0/api-keys/${made.apiKey}/rotate`, { graceSeconds: 0 })
  const revoked = await createOperatorKey(bank.database, 'sandbox', {
    organisation: 'first',
    name: 'App',
    scopes: null,
  })
  await bank.call('DELETE', `/v0/api-keys/${revoked.id}`)
  made.revokedKey = String(revoked.id)
  made.account = await makeFunded(bank, 500_00)
  const account = await ask(bank, 'GET', `/v0/banking/accounts/${made.account}`)
  made.customer = account.customerId
  await ask(bank, 'PUT', `/v0/banking/accounts/${made.account}/limits`, { payment: { hard: 400_00 }, overdraft: 1_00 })
  made.externalAccount = await makeExternalAccount(bank, account.customerId)
  made.otherExternal = await makeExternalAccount(bank, account.customerId)
  const deleted = await makeExternalAccount(bank, account.customerId)
  await bank.call('DELETE', `/v0/banking/external-accounts/${deleted}`)
  made.deletedExternal = deleted
  const headers = { 'idempotency-key': 'rent-of-june' }
  const payer = { customerId: account.customerId, accountId: made.account, externalAccountId: made.externalAccount }
  await pay(bank, payer, { amount: 5_00 }, { headers })
  const rent = {
    ...{ type: 'achPayment', accountId: made.account, counterpartyAccountId: made.otherExternal, amount: 5_00 },
    ...{ description: 'Rent', interval: 'Monthly', startDate: '2099-01-05' },
  }
  made.recurringPayment = (await post('/v0/banking/recurring-payments', rent)).id
  const ended = await post('/v0/banking/recurring-payments', rent)
  await post(`/v0/banking/recurring-payments/${ended.id}/cancel`)
  await ask(bank, 'POST', `/v0/banking/accounts/${made.account}/block-payments`, { reason: 'Return R10' })
  const card = await makeVirtualCard(bank, made.account)
  made.card = card.id
  await ask(bank, 'PUT', `/v0/banking/cards/${card.id}/limits`, { purchase: { amount: 300_00 } })
  await ask(bank, 'PUT', `/v0/processor/cards/${card.id}/reference`, { reference: 'crd_1' })
  made.authorization = (await authorize(bank, card.id, 10_00)).id
  await post(`/v0/sandbox/authorizations/${made.authorization}/settle`, { amount: 90_00 })
  await post(`/v0/sandbox/authorizations/${(await authorize(bank, card.id, 10_00)).id}/settle`)
  await authorize(bank, card.id, 2_00)
  made.accountHold = (await post(`/v0/banking/accounts/${made.account}/holds`, { amount: 5_00, reason: 'Dispute' })).id
  made.application = (await post('/v0/banking/applications', { ...applicant, ssn: '000000004' })).id
  await post(`/v0/sandbox/applications/${made.application}/deny`)
  made.webhookEndpoint = (
    await post('/v0/webhook-endpoints', { url: 'https://example.com/hooks', events: ['payment.*'] })
  ).id
  made.partnerUser = String((await post('/v0/rewards/partner-users', { userId: 42 })).id)
  made.partnerUserCard = String(
    (await post('/v0/rewards/partner-user-cards', { partnerUserId: Number(made.partnerUser), bankCardId: card.id })).id,
  )
  const propose = (list: string) =>
    bank.call('POST', `/v0/permits/exports/${list}`, { body: { reason: 'For the audit' } })
  const ada = await signIn(bank, { first: 'reviewer' })
  made.signedProposal = (await propose('customers')).json.data.id
  await ada.call('POST', `/v0/proposals/${made.signedProposal}/approve`, { body: {} })
  made.proposal = (await propose('accounts')).json.data.id
  const erased = await post('/v0/sandbox/customers', { name: 'Grace Erased', email: 'grace@example.com' })
  const closed = await post('/v0/banking/accounts', { customerId: erased.id })
  await post(`/v0/banking/accounts/${closed.id}/close`, { reason: 'ByCustomer' })
  await eraseCustomer(bank.database, Number(erased.id), { early: true })
  await advance(bank, { by: 'P8D' })
}

describe('a change beside the service is named', () => {
  beforeEach(async () => {
    copy = await createDatabase(original.name)
    database = openDatabase({ servers: [copy.server], connections: 1, timeouts: plainTimeouts })
    return async () => {
      await database.close()
      await copy.drop()
    }
  })

  /** The change, the record, and the statement; `$id` is the id of the record. */
  const cases: [what: string, record: string, statement: string][] = [
    [
      'an earlier due date',
      'recurringPayment',
      `update recurring_payment set next_due_date = '2027-01-05' where id = $id`,
    ],
    ['another scope', 'apiKey', `update api_key set scopes = null where id = $id`],
    ['a later expiry', 'apiKey', `update api_key set expires_at = now() + interval '9 years' where id = $id`],
    ['a key that works again', 'revokedKey', `update api_key set revoked_at = null, deleted = false where id = $id`],
    ['another name', 'customer', `update customer set name = 'Mallory Example' where id = $id`],
    ['another e-mail address', 'customer', `update customer set email = 'mallory@example.com' where id = $id`],
    ['another address', 'customer', `update customer set address = '{"street":"2 Other Street"}' where id = $id`],
    ['an invented erasure', 'customer', `update customer_key set data_key = null, erased_at = now() where id = $id`],
    ['a denial that became none', 'application', `update application set status = 'PendingReview' where id = $id`],
    ['a removed denial', 'application', `delete from application where id = $id`],
    ['another owner', 'account', `update account set customer_id = customer_id + 1 where id = $id`],
    ['an unfrozen account', 'account', `update account set status = 'Frozen' where id = $id`],
    ['another account number', 'account', `update account set account_number = '9999999999' where id = $id`],
    [
      'a higher limit',
      'account',
      `update account set limits = jsonb_set(limits, '{payment,hard}', '9000000') where id = $id`,
    ],
    [
      'a higher overdraft',
      'account',
      `update account set limits = jsonb_set(limits, '{overdraft}', '9000000') where id = $id`,
    ],
    ['no limits', 'account', `update account set limits = null where id = $id`],
    ['no block', 'account', `update account set payment_block = null where id = $id`],
    [
      'another number in clear',
      'externalAccount',
      `update external_account set account_number = '1111111' where id = $id`,
    ],
    [
      'the number of another account',
      'externalAccount',
      `update external_account a set account_number = b.account_number from external_account b where a.id = $id and b.id = $other`,
    ],
    ['another bank', 'externalAccount', `update external_account set routing_number = '011000015' where id = $id`],
    ['another holder', 'externalAccount', `update external_account set customer_id = customer_id + 1 where id = $id`],
    ['an account that is back', 'deletedExternal', `update external_account set deleted_at = null where id = $id`],
    ['another account behind a card', 'card', `update card set account_id = account_id + 1 where id = $id`],
    ['a blocked card that works', 'card', `update card set status = 'Frozen' where id = $id`],
    ['no limits of a card', 'card', `update card set limits = null where id = $id`],
    ['another reference', 'card', `update card set processor_reference = 'crd_2' where id = $id`],
    ['another amount', 'authorization', `update card_authorization set amount = 90_00 where id = $id`],
    [
      'a review that is done',
      'authorization',
      `update card_authorization set over_settlement = 'Resolved' where id = $id`,
    ],
    ['another amount of a hold', 'accountHold', `update account_hold set amount = 1 where id = $id`],
    ['a hold that ends sooner', 'accountHold', `update account_hold set expires_at = now() where id = $id`],
    [
      'another address of an endpoint',
      'webhookEndpoint',
      `update webhook_endpoint set url = 'https://other.example.com' where id = $id`,
    ],
    [
      'a signature that nobody gave',
      'proposal',
      `update proposal set state = 'Executed', signer_key_id = 1, signer_person_id = 1, decided_at = now() where id = $id`,
    ],
    ['another decision', 'proposal', `update proposal set params = '{"list":"payments"}' where id = $id`],
    ['another input', 'proposal', `update proposal set body = '{}' where id = $id`],
    ['another proposer', 'proposal', `update proposal set proposer_person_id = 1 where id = $id`],
    ['another signer', 'signedProposal', `update proposal set signer_name = 'Grace' where id = $id`],
    ['a removed signature', 'signedProposal', `delete from proposal where id = $id`],
    ['another user', 'partnerUser', `update partner_user set user_id = 43 where id = $id`],
    ['another card that earns', 'partnerUserCard', `update partner_user_card set bank_card_id = '1' where id = $id`],
    [
      'a customer that nobody made',
      'customer',
      `insert into customer (id, organisation_id, created_at, name, status) select id + 900000, organisation_id, created_at, name, status from customer where id = $id`,
    ],
  ]

  test.each(cases)('%s of %s', async (_what, kind, statement) => {
    const id = made[kind] ?? ''
    const text = statement.replaceAll('$id', id).replaceAll('$other', made.otherExternal ?? '')
    await database.query(`set session_replication_role = replica`)
    expect((await database.query(`${text} returning 1`)).length).toBe(1)
    const entity =
      { revokedKey: 'apiKey', deletedExternal: 'externalAccount', signedProposal: 'proposal' }[kind] ?? kind
    const wanted = new RegExp(`^${entity} ${id}|^${entity} ${Number(id) + 900_000}$`)
    expect((await breachesIn(database)).map(({ record }) => record)).toContainEqual(expect.stringMatching(wanted))
  })

  test.each([
    [
      'another party of a received payment',
      `update transfer set party = 'Other Payroll' where source_kind = 'received_ach'`,
    ],
    [
      'another time of a received payment',
      `update transfer set created_at = created_at - interval '1 day' where source_kind = 'received_ach'`,
    ],
    ['another amount of a purchase', `update transfer set amount = amount + 1 where source_kind = 'card_settlement'`],
  ])('%s', async (_what, statement) => {
    await database.query(`set session_replication_role = replica`)
    await database.query(statement)
    expect((await breachesIn(database)).map(({ record }) => record)).toContainEqual(
      expect.stringMatching(/^transaction /),
    )
  })

  test('a removed answer, whose key would pay again, until answers of its age are deleted', async () => {
    await database.query(`delete from answer where payment_id is not null`)
    expect(await breachesIn(database)).toMatchObject([
      { record: 'answer', reason: 'the stored answer of the request is missing' },
    ])
    expect(await breachesIn(database, 0)).toEqual([])
  })

  test('an event that the index of records does not name', async () => {
    await database.query(`set session_replication_role = replica`)
    await database.query(`delete from event_entity where entity_type = 'card' and entity_id = $1`, [made.card])
    const found = (await breachesIn(database)).map(({ record }) => record)
    expect(found).toContain('event')
    expect(found).toContain(`card ${made.card}`)
  })
})
