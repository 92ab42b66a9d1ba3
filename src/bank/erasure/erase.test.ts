import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, makeFunded, makeVirtualCard } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { chainBreaches, expectSoundLedger, makeExternalAccount, makePayer, pay } from '../../../test/support/ledger.ts'
import { signIn } from '../../../test/support/people/sign-in.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { incomingFile, lastBankingDay } from '../../../test/support/rails/incoming.ts'
import { makeCampaignOffer } from '../../../test/support/rewards.ts'
import { applicant, makeAccount, makeCustomer } from '../../../test/support/world.ts'
import { openDatabase, plainTimeouts } from '../../database/database.ts'
import { readEventLines } from '../../events/read-events.ts'
import { bankOrigin, recordEvents } from '../../events/record.ts'
import { rotateEncryption } from '../../secrets/rotate.ts'
import { readSealedStates } from '../first-states/first-states.ts'
import { eraseCustomer } from './erase.ts'

/** Texts that nothing else in the database holds. */
const planted = {
  name: 'Zyxandra Quillfeather',
  email: 'zyxandra.quill@example.test',
  phone: '+14155550199',
  dateOfBirth: '1987-06-05',
  street: '77 Plumbago Terrace',
  street2: 'Garret 9Q',
  city: 'Vexborough',
  // With four digits more: five digits are found by chance in what is sealed.
  postalCode: '94199-7306',
  tag: 'tag-of-zyxandra',
  cardTag: 'card-tag-of-zyxandra',
  userTag: 'user-tag-of-zyxandra',
  ship: '88 Marmoset Quay',
  reason: 'Blurred face of Zyxandra',
  externalName: 'Zyxandras Savings',
  accountNumber: '31415926535897',
  file: '%PDF-1.7 the passport of Zyxandra',
  receiver: 'ZYXANDRA QUILLFEATH',
  addenda: 'WAGES OF ZYXANDRA FOR MAY',
  note: 'Levy on the wages of Zyxandra',
  former: 'zyxandra-in-the-former-system',
}

let bank: TestBank
let organisationId: number
let before: { events: string[]; lines: string[] }
let records: Record<
  'customer' | 'application' | 'document' | 'account' | 'card' | 'external' | 'paid' | 'received',
  string
>
let paymentId: string
let partnerUserId: number
const answered = new Map<string, { path: string; body: unknown; text: string }>()

const eventLines = async () =>
  (await bank.call('GET', '/v0/events?limit=1000')).json.data.map((event: unknown) => JSON.stringify(event)) as string[]
const archived = async () =>
  (
    await readEventLines(
      bank.database,
      readSealedStates,
      { organisationId, after: 0, upTo: Number.MAX_SAFE_INTEGER },
      1_000,
    )
  ).map(({ line }) => line)

/** Sends a request with an idempotency key and once more without one, which is refused or makes another record. */
async function post(key: string, path: string, body: unknown = {}): Promise<{ id: string } & Record<string, string>> {
  const { status, json, text } = await bank.call('POST', path, { body, headers: { 'idempotency-key': key } })
  expect(status, text).toBeLessThan(300)
  answered.set(key, { path, body, text })
  return json.data
}

const upload = () => ({ file: Buffer.from(planted.file).toString('base64'), contentType: 'application/pdf' })

/** A customer whose every text is planted, with closed accounts. */
async function makePerson(): Promise<void> {
  const { name, email, phone, dateOfBirth, street, street2, city, postalCode } = planted
  const address = { street, street2, city, state: 'CA', postalCode }
  const person = { ...applicant, name, email, phone, dateOfBirth, address, ssn: '000000003' }
  const { id: application } = await post('apply', '/v0/banking/applications', person)
  const [{ id: document }] = (await ask(bank, 'GET', `/v0/banking/applications/${application}`)).documents
  const path = `/v0/banking/applications/${application}/documents/${document}`
  await post('upload', path, upload())
  await post('reject', `${path.replace('banking', 'sandbox')}/reject`, { reason: planted.reason })
  await post('upload-2', path, upload())
  await post('approve', `${path.replace('banking', 'sandbox')}/approve`)
  const { customerId: customer = '' } = await ask(bank, 'GET', `/v0/banking/applications/${application}`)
  const { id: account } = await post('account', '/v0/banking/accounts', {
    customerId: customer,
    tags: { note: planted.tag },
  })
  const shippingAddress = { street: planted.ship, city, state: 'CA', postalCode }
  const card = { type: 'individualDebitCard', accountId: account, shippingAddress, tags: { note: planted.cardTag } }
  const { id: cardId } = await post('card', '/v0/banking/cards', card)
  await bank.call('POST', `/v0/banking/cards/${cardId}/activate`)
  const external = await post('external', `/v0/banking/customers/${customer}/external-accounts`, {
    type: 'Person',
    name: planted.externalName,
    routingNumber: '021000021',
    accountNumber: planted.accountNumber,
    accountType: 'Checking',
  })
  await post('token', `/v0/banking/customers/${customer}/token-verifications`)
  await ask(bank, 'POST', `/v0/sandbox/accounts/${account}/receive-ach`, {
    amount: 5_00,
    companyName: 'Sample Payroll',
  })
  const levy = { amount: 1_00, reason: 'LegalOrder', description: planted.note }
  const { id: hold } = await post('hold', `/v0/banking/accounts/${account}/holds`, levy)
  await post('release', `/v0/banking/accounts/${account}/holds/${hold}/release`)
  const paid = await makeExternalAccount(bank, customer, { accountNumber: '27182818284590' })
  const received = await receive(account)
  paymentId = (await pay(bank, { accountId: account, externalAccountId: paid }, { amount: 5_00 })).json.data.id
  await bank.database.query(
    `insert into former_id (organisation_id, kind, former, id) values ($1, 'customer', $2, $3)`,
    [...[organisationId, planted.former, customer]],
  )
  const partnerUser = await post('enrol', '/v0/rewards/partner-users', { userId: 7, tags: { note: planted.userTag } })
  partnerUserId = Number(partnerUser.id)
  await ask(bank, 'POST', '/v0/rewards/partner-user-cards', { partnerUserId, bankCardId: cardId })
  const attribution = { id: 'a-1', type: 'View', offerId: (await makeCampaignOffer(bank)).id, partnerUserId }
  await ask(bank, 'POST', '/v0/rewards/attributions', { attributions: [attribution] })
  await post('close', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })
  records = { customer, application, document, account, card: cardId, external: external.id, paid, received }
}

/** A debit of an ACH file that names the customer and is returned. Answers its id. */
async function receive(account: string): Promise<string> {
  await takeDebit(account, 1)
  const [{ id }] = await ask(bank, 'GET', '/v0/banking/received-payments')
  await post('return', `/v0/banking/received-payments/${id}/return`, { returnCode: 'R10' })
  return id
}

async function takeDebit(account: string, sequence: number): Promise<void> {
  const on = { name: '', server: bank.server, drop: async () => undefined }
  const rail = await openTestBank({ on, ach: testAch() })
  try {
    const { accountNumber } = await ask(bank, 'GET', `/v0/banking/accounts/${account}`)
    const own = { amount: 1_00, accountNumber, name: planted.receiver }
    const addenda = { type: 'payment' as const, text: planted.addenda }
    const settlesOn = lastBankingDay()
    const entries = [{ ...own, sequence, code: 27, addenda }]
    await rail.takeFile({
      name: 'in.ach',
      bytes: incomingFile({ entries, settlesOn, modifier: String(sequence) }),
      organisationId,
    })
  } finally {
    await rail.close()
  }
}

/** The tables with a row that holds a text, in clear, in hex or in Base64. */
async function holders(text: string, { database } = bank): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const bytes = Buffer.from(text)
  const base64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.query(
      `select from ${name} t where position($1::text in t::text) > 0 or position($2::text in t::text) > 0
         or position($3::text in t::text) > 0 limit 1`,
      [text, bytes.toString('hex'), base64],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

const erase = (id: string, early = true) => eraseCustomer(bank.database, Number(id), { early })

beforeAll(async () => {
  bank = await openTestBank({ review: 'manual' })
  const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'first'`)
  organisationId = row?.id ?? 0
  await makePerson()
  before = { events: await eventLines(), lines: await archived() }
})
afterAll(() => bank.close())

describe('before the erasure', () => {
  test('events show the customer, and are stored sealed with a key of the customer', async () => {
    expect(before.events.filter((event) => event.includes(planted.name)).length).toBeGreaterThan(3)
    expect(before.events.filter((event) => event.includes(planted.ship)).length).toBeGreaterThan(1)
    expect(await holders(planted.name)).toEqual(['account', 'answer', 'application', 'customer'])
    expect(await holders(planted.note)).toEqual(['account_hold', 'answer'])
    expect(await holders(planted.reason)).toEqual(['answer', 'decision_reason'])
    expect(before.lines.join()).not.toContain(planted.name)
  })

  test('the key is another one for each customer, and does not open elsewhere', async () => {
    const rows = await bank.database.query<{ id: number; dataKey: Buffer }>(
      `select id, data_key as "dataKey" from customer_key order by id`,
    )
    expect(rows.map(({ id }) => String(id)).sort()).toEqual([records.application, records.customer].sort())
    const [first, second] = rows
    const swap = (to: Buffer | undefined) =>
      bank.database.query(`update customer_key set data_key = $1 where id = $2`, [to, first?.id])
    await swap(second?.dataKey)
    expect((await bank.call('GET', '/v0/events?limit=1000')).status).toBe(500)
    await swap(first?.dataKey)
    expect(await eventLines()).toEqual(before.events)
  })
})

describe('an erasure is refused', () => {
  const refused = async (id: string, message: RegExp, early = true) => {
    const head = (await eventLines()).length
    await expect(erase(id, early)).rejects.toThrow(message)
    expect((await eventLines()).length).toBe(head)
    expect(await ask(bank, 'GET', `/v0/banking/customers/${id}`)).toMatchObject({ status: 'Active' })
  }
  const holderOf = async (account: string) => (await ask(bank, 'GET', `/v0/banking/accounts/${account}`)).customerId
  const close = (account: string) =>
    ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })

  test('while an account is open or frozen, or has a balance', async () => {
    const account = await makeFunded(bank, 1_00)
    const customer = await holderOf(account)
    await refused(customer, new RegExp(`account ${account} is Open: close it first`))
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    await refused(customer, new RegExp(`account ${account} is Frozen: close it first`))
    await close(account)
    await refused(customer, new RegExp(`account ${account} has a balance of 100 cents`))
  })

  test('while an authorization is open', async () => {
    const account = await makeFunded(bank, 1_00)
    const customer = await holderOf(account)
    const { id: card } = await makeVirtualCard(bank, account)
    const body = { amount: 1_00, merchant: { name: 'Sample Coffee' } }
    const { id } = await ask(bank, 'POST', `/v0/sandbox/cards/${card}/authorizations`, body)
    const external = await makeExternalAccount(bank, customer)
    await close(account)
    // The balance is zero for the check alone: the ledger would not allow it.
    await bank.database.query(`update account set balance = 0 where id = $1::bigint`, [account])
    await refused(customer, new RegExp(`authorization ${id} is open`))
    await bank.database.query(`update account set balance = 100 where id = $1::bigint`, [account])
    expect(external).toBeDefined()
  })

  test('while a hold is active', async () => {
    const account = await makeAccount(bank)
    const customer = await holderOf(account)
    const body = { amount: 1_00, reason: 'LegalOrder' }
    const { id } = await ask(bank, 'POST', `/v0/banking/accounts/${account}/holds`, body)
    await close(account)
    await refused(customer, new RegExp(`hold ${id} is active: release it first`))
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/holds/${id}/release`)
  })

  test('for five years after the last account was closed, unless the operator says that no law requires it', async () => {
    await refused(records.customer, /was closed on \d{4}-\d\d-\d\d, and banks .* five years .*: use --early/, false)
    const set = (closed: string) =>
      bank.database.query(`update account set closed_at = ${closed} where id = $1::bigint`, [records.account])
    await set('null')
    await refused(records.customer, /was closed at an unknown time/, false)
    await set(`now() - interval '5 years' + interval '1 hour'`)
    await refused(records.customer, /was closed on/, false)
    await set(`now()`)
  })

  test('of a customer that does not exist, and of other records', async () => {
    for (const id of ['1000000000', records.account])
      await expect(erase(id)).rejects.toThrow(`there is no customer ${id}`)
  })

  test('while rows of a former version are being moved', async () => {
    await bank.database.query(`insert into copy_move (source) values ('answer')`)
    await refused(records.customer, /rows of a former version are still being moved/)
    await bank.database.query(`delete from copy_move`)
  })
})

test('an erasure whose connection is killed has no effect', async () => {
  const keeper = openDatabase({ servers: [bank.server], connections: 1, timeouts: plainTimeouts })
  await keeper.transaction(async (transaction) => {
    await transaction.query(`select from event_counter where organisation_id = $1::bigint for update`, [organisationId])
    const erasing = erase(records.customer).catch((error: Error) => error)
    await expect
      .poll(() =>
        bank.database.query<{ ended: boolean }>(
          `select pg_terminate_backend(pid) as ended from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%event_counter%'`,
        ),
      )
      .toEqual([{ ended: true }])
    expect(await erasing).toBeInstanceOf(Error)
  })
  await keeper.close()
  expect(await eventLines()).toEqual(expect.arrayContaining(before.events))
  expect((await ask(bank, 'GET', `/v0/banking/customers/${records.customer}`)).name).toBe(planted.name)
})

describe('after the erasure', () => {
  let payment: string
  beforeAll(async () => {
    payment = (await bank.call('GET', `/v0/banking/payments/${paymentId}`)).text
    expect(await erase(records.customer)).toEqual({ organisationId, erased: true, answers: 15, clearEvents: 0 })
  })

  test('no table holds a text of the customer', async () => {
    for (const [what, text] of Object.entries(planted)) expect(await holders(text), what).toEqual([])
  })

  test('the books and the chain of events are whole, and the numbers of events have no gap', async () => {
    await expectSoundLedger(bank)
    expect(await chainBreaches(bank.database)).toEqual([])
  })

  test('records show the customer as erased', async () => {
    const { customer, application, account, card } = records
    const shown = (path: string) => ask(bank, 'GET', `/v0/banking/${path}`)
    expect(await shown(`customers/${customer}`)).toEqual({
      id: customer,
      type: 'individualCustomer',
      createdAt: expect.any(String),
      name: 'Erased',
      email: null,
      phone: null,
      address: null,
      status: 'Erased',
      tags: {},
    })
    expect(await shown(`applications/${application}`)).toMatchObject({
      status: 'Approved',
      name: 'Erased',
      email: 'Erased',
      customerId: customer,
      documents: [{ id: records.document, status: 'Approved' }],
    })
    expect(await shown(`accounts/${account}`)).toMatchObject({ name: 'Erased', status: 'Closed', balance: 0, tags: {} })
    expect((await ask(bank, 'GET', `/v0/rewards/partner-users/${partnerUserId}`)).tags).toEqual({})
    expect(await bank.database.query('select from attribution_touch')).toEqual([])
    const address = { street: 'Erased', city: 'Erased', state: 'Erased', postalCode: 'Erased' }
    expect((await shown(`cards/${card}`)).shippingAddress).toEqual(address)
    const received = await shown(`received-payments/${records.received}`)
    expect(received).toMatchObject({ receiverName: 'Erased', returnCode: 'R10', amount: 1_00 })
    expect(received).not.toHaveProperty('addenda')
    expect(await shown(`customers/${customer}/external-accounts`)).toEqual([])
    expect((await bank.call('GET', `/v0/search?q=${encodeURIComponent(planted.name)}`)).json.data).toEqual([])
    expect((await bank.call('GET', `/v0/banking/payments/${paymentId}`)).text).toBe(payment)
  })

  test('events keep their numbers, show only the id of their record, and the erasure is among them', async () => {
    const after = await eventLines()
    const { customer, application, document, account, card, external, paid } = records
    const own = new Set([customer, application, document, account, card, external, paid])
    const isReceived = (type: string) => type.startsWith('receivedPayment.')
    for (const [place, text] of before.events.entries()) {
      const event = JSON.parse(text)
      const { id, type } = event.entity
      const gone = own.has(id) || event.data.customerId === customer || isReceived(event.type)
      expect(JSON.parse(after[place] ?? ''), type).toEqual(gone ? { ...event, data: { id, erased: true } } : event)
    }
    const [latest] = after.map((text) => JSON.parse(text)).filter(({ type }) => type === 'customer.erased')
    expect(latest).toMatchObject({ entity: { id: customer, version: 2 }, data: { name: 'Erased', status: 'Erased' } })
    const [created] = before.events
      .filter((event) => event.includes('customer.created'))
      .map((text) => JSON.parse(text))
    const single = await ask(bank, 'GET', `/v0/events/${created.id}`)
    expect(single.data).toEqual({ id: customer, erased: true })
    expect((await ask(bank, 'POST', `/v0/events/${created.id}/redeliver`)).data).toEqual({ id: customer, erased: true })
    const log = await ask(bank, 'GET', '/v0/audit-log?limit=100')
    expect(log.map(({ action }: { action: string }) => action)).toContain('customer.erased')
    const line = (await archived()).find((each) => each.includes('customer.created'))
    expect(JSON.parse(line ?? '').data).toEqual({ id: customer, erased: true })
  })

  test('an entry that still names the customer is stored without the name', async () => {
    await takeDebit(records.account, 2)
    const [received] = await ask(bank, 'GET', '/v0/banking/received-payments')
    expect(received).toMatchObject({ status: 'MarkedForReturn', returnCode: 'R02', receiverName: 'Erased' })
    for (const text of [planted.receiver, planted.addenda]) expect(await holders(text)).toEqual([])
    const events = await ask(bank, 'GET', `/v0/events?entityType=receivedPayment&entityId=${received.id}`)
    expect(events.at(-1).data).toEqual(received)
  })

  test('a repeated request is answered that the customer is erased, and is not carried out again', async () => {
    const head = (await eventLines()).length
    for (const [key, { path, body, text }] of answered) {
      const again = await bank.call('POST', path, { body, headers: { 'idempotency-key': key } })
      // The answer of a token holds no personal data.
      if (key === 'token') expect([again.status, again.text]).toEqual([201, text])
      else expect([again.status, again.json.code], key).toEqual([410, 'customer_erased'])
    }
    expect((await eventLines()).length).toBe(head)
  })

  test('the customer gets no new records', async () => {
    const { customer, application, document, account, external } = records
    const file = `/v0/banking/applications/${application}/documents/${document}`
    for (const [path, body] of [
      ['/v0/banking/accounts', { customerId: customer }],
      [`/v0/banking/accounts/${account}/reopen`, {}],
      [`/v0/banking/customers/${customer}/token-verifications`, {}],
      [`/v0/banking/customers/${customer}/external-accounts`, answered.get('external')?.body],
      [file, upload()],
      [`${file}/back`, upload()],
      [`${file.replace('banking', 'sandbox')}/reject`, { reason: planted.reason }],
    ] as const) {
      const { status, json } = await bank.call('POST', path, { body })
      expect([status, json.code], path).toEqual([410, 'customer_erased'])
    }
    expect((await bank.call('DELETE', `/v0/banking/external-accounts/${external}`)).status).toBe(404)
  })

  test('another erasure changes nothing', async () => {
    const head = (await eventLines()).length
    expect(await erase(records.customer)).toEqual({ organisationId, erased: false, answers: 0, clearEvents: 0 })
    expect((await eventLines()).length).toBe(head)
  })

  test('the data stays gone after a change of the encryption key, and other customers are shown as before', async () => {
    const other = await makeCustomer(bank, { name: 'Grace Sample' })
    const [key, newKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const events = await eventLines()
    const progress = { values: () => undefined, keys: () => undefined }
    const database = openDatabase({ servers: [bank.server], connections: 1, timeouts: plainTimeouts })
    expect(await rotateEncryption(database, { key, newKey }, progress)).toBe(true)
    expect(await eventLines()).toEqual(events)
    expect(await rotateEncryption(database, { key: newKey, newKey: key }, progress)).toBe(true)
    await database.close()
    expect(events.at(-1)).toContain('Grace Sample')
    expect(await holders('Grace Sample')).not.toContain('event_page')
    expect((await ask(bank, 'GET', `/v0/banking/customers/${other}`)).name).toBe('Grace Sample')
  })
})

test('reasons of proposals about the records of a customer are gone, and one that waits expires without them', async () => {
  const rules = { from: { paymentApproval: 0, limits: 0 }, expiryMs: 7 * 86_400_000 }
  const signed = await openTestBank({ signatures: rules })
  const [ada, bob] = [await signIn(signed, { first: 'operator' }), await signIn(signed, { first: 'operator' })]
  const decide = async (id: string, verb: string, reason: string) => {
    const { status, text } = await bob.call('POST', `/v0/proposals/${id}/${verb}`, { body: { reason } })
    expect(status, text).toBe(200)
  }
  const propose = async (method: string, path: string, body: object): Promise<string> => {
    const { status, text, json } = await ada.call(method, path, { body })
    expect(status, text).toBe(202)
    return json.data.id
  }
  const payer = await makePayer(signed, 10_00)
  const limits = (content: object) => propose('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, content)
  await decide(await limits({ payment: { soft: 1 } }), 'approve', `${planted.name} is known`)
  const { id: payment } = (await pay(signed, payer, { amount: 10_00 })).json.data
  const approve = (reason: string) => propose('POST', `/v0/review/payments/${payment}/approve`, { reason })
  const rejected = await approve(planted.reason)
  await decide(rejected, 'reject', planted.note)
  await decide(await approve('The invoice was checked'), 'approve', planted.note)
  const waiting = await limits({ overdraft: 1_00 })
  expect(await holders(planted.reason, signed)).toEqual(['answer', 'decision_reason', 'proposal'])
  await ask(signed, 'POST', `/v0/banking/accounts/${payer.accountId}/close`, { reason: 'ByCustomer' })
  const { customerId } = await ask(signed, 'GET', `/v0/banking/accounts/${payer.accountId}`)
  await eraseCustomer(signed.database, Number(customerId), { early: true })
  for (const text of [planted.name, planted.reason, planted.note]) expect(await holders(text, signed)).toEqual([])
  expect((await ada.call('GET', `/v0/proposals/${rejected}`)).json.data).toMatchObject({
    ...{ state: 'Rejected', body: { reason: 'Erased' }, reason: 'Erased', decisionReason: 'Erased' },
  })
  const events = await ask(signed, 'GET', `/v0/events?entityType=proposal&entityId=${rejected}`)
  expect(events.map(({ data }: { data: unknown }) => data)).toEqual([1, 2].map(() => ({ id: rejected, erased: true })))
  await ask(signed, 'POST', '/v0/sandbox/clock/advance', { by: 'P7D' })
  expect((await ada.call('GET', `/v0/proposals/${waiting}`)).json.data.state).toBe('Expired')
  await expectSoundLedger(signed)
  await signed.close()
})

describe('events of a former version, which are in clear text', () => {
  const shown = (id: number, name: string) => ({
    ...{ id: String(id), type: 'individualCustomer', createdAt: '2026-01-31T08:00:00.000Z', name },
    ...{ email: null, phone: null, address: null, status: 'Active', tags: {} },
  })
  const textOf = (id: number, name: string, version: number) =>
    ['customer.created', id, version, JSON.stringify(shown(id, name)), '', '', ''].join('\x1f')
  const [ada, grace] = [8_000_001, 8_000_002]
  let key: string
  let organisation: number

  beforeAll(async () => {
    key = await bank.makeKey('former', null)
    const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'former'`)
    organisation = row?.id ?? 0
    await bank.database.query(
      `insert into customer (id, organisation_id, created_at, name, status)
       values ($2::bigint, $1::bigint, now(), 'Ada Former', 'Active'), ($3::bigint, $1::bigint, now(), 'Grace Former', 'Active')`,
      [organisation, ada, grace],
    )
    await bank.database.query(`insert into event_counter (organisation_id, sequence) values ($1::bigint, 2)`, [
      organisation,
    ])
    await bank.database.query(
      `insert into event_page (organisation_id, last, count, created_at, events) values ($1::bigint, 2, 2, now(), $2::text)`,
      [organisation, [textOf(ada, 'Ada Former', 1), textOf(grace, 'Grace Former', 1)].join('\x1e')],
    )
    const event = { type: 'customer.updated', id: String(ada), version: 2, data: shown(ada, 'Ada Linked') } as const
    const origin = bankOrigin(organisation)
    await bank.database.transaction((transaction) => recordEvents(transaction, [{ event, origin }]))
  })

  const refuse = (update: string) => expect(bank.database.query(update), update).rejects.toThrow('append-only')

  test('lose their data where the chain of hashes does not cover them, and are counted where it does', async () => {
    await refuse(
      `update event_page set events = replace(events, 'Ada Former', 'Other') where organisation_id = ${organisation}`,
    )
    expect(await erase(String(ada))).toMatchObject({ erased: true, clearEvents: 1 })
    const { json } = await bank.call('GET', '/v0/events', { key })
    expect(json.data.map(({ data }: { data: unknown }) => data)).toEqual([
      { id: String(ada), erased: true },
      shown(grace, 'Grace Former'),
      shown(ada, 'Ada Linked'),
      expect.objectContaining({ id: String(ada), status: 'Erased' }),
    ])
    expect(await holders('Ada Former')).toEqual([])
    expect(await chainBreaches(bank.database)).toEqual([])
    await expectSoundLedger(bank)
  })

  test('cannot be changed in any other way after an erasure', async () => {
    const where = `where organisation_id = ${organisation} and last`
    const data = (id: number) => `regexp_replace(events, '\\{[^{]*Former.*?\\}\\}', '~${id}:')`
    // Data of another customer, under the key of a customer that is not erased, and other parts of an event.
    await refuse(`update event_page set events = replace(events, 'Grace', 'Other') ${where} = 2`)
    await refuse(`update event_page set events = ${data(grace)} ${where} = 2`)
    await refuse(`update event_page set events = replace(events, 'customer.created', 'customer.updated') ${where} = 2`)
    await refuse(`update event_page set created_at = now() ${where} = 2`)
    await refuse(`update event_page set history = 'x' ${where} = 2`)
    // An event in the chain.
    await refuse(`update event_page set events = regexp_replace(events, '\\{.*\\}', '~${ada}:') ${where} = 3`)
  })
})
