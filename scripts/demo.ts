import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dollars } from '../ground/text.ts'
import { StartupError } from '../src/base/startup-error.ts'
import { parseConfig } from '../src/config.ts'
import { fail } from '../src/startup-errors.ts'

interface Record {
  id: string
  [name: string]: unknown
}

interface Offer {
  commission: number
  merchant: { name: string }
}

/** Plays the story of one customer on a running service, prints a line for each step, and a receipt. */
async function demo(): Promise<void> {
  const service = connect()
  const { call, step } = service
  say(`Purser at ${service.url}\n`)

  const customer = await step('a customer is approved', () =>
    call('POST', '/v0/sandbox/customers', { name: 'Ada Example', email: 'ada@example.com' }),
  )
  const account = await step('she opens a checking account', () =>
    call('POST', '/v0/banking/accounts', { customerId: customer.id }),
  )
  await step('her salary of $2,500.00 arrives', () =>
    call('POST', `/v0/sandbox/accounts/${account.id}/receive-ach`, {
      amount: 2_500_00,
      companyName: 'Sample Payroll',
      description: 'Salary',
    }),
  )
  const external = await step('she names an account at another bank', () =>
    call('POST', `/v0/banking/customers/${customer.id}/external-accounts`, {
      type: 'Person',
      name: 'Grace Sample',
      routingNumber: '021000021',
      accountNumber: '9876543210',
      accountType: 'Checking',
    }),
  )
  const payment = await step('she sends $900.00 there', () =>
    call('POST', `/v0/banking/accounts/${account.id}/payments`, {
      amount: 900_00,
      counterpartyAccountId: external.id,
      description: 'Rent',
      originalType: 'ACH',
    }),
  )
  const returned = await step('sends $50.00 more to a wrong number', () =>
    call('POST', `/v0/banking/accounts/${account.id}/payments`, {
      amount: 50_00,
      counterpartyAccountId: external.id,
      description: 'Oops',
      originalType: 'ACH',
    }),
  )
  if (returned.status === 'Pending') await leaveWithFile(service)
  await step('which the other bank returns', () =>
    call('POST', `/v0/sandbox/payments/${returned.id}/return`, { returnCode: 'R03' }),
  )
  await fund(service, customer, account)
  const card = await step('a card is made and shipped', () =>
    call('POST', '/v0/banking/cards', {
      type: 'individualDebitCard',
      accountId: account.id,
      shippingAddress: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
    }),
  )
  await step('she activates it', () => call('POST', `/v0/banking/cards/${card.id}/activate`))
  const user = await step('she takes part in the rewards', () =>
    call('POST', '/v0/rewards/partner-users', { userId: Number(customer.id) }),
  )
  await step('and links her card', () =>
    call('POST', '/v0/rewards/partner-user-cards', { partnerUserId: user.id, bankCardId: card.id }),
  )
  const offer = await service.bestOffer()
  const price = 64_20
  const purchase = await step(`she buys for $64.20 at ${offer.merchant.name}: the amount is held`, () =>
    call('POST', `/v0/sandbox/cards/${card.id}/authorizations`, {
      amount: price,
      merchant: { name: offer.merchant.name },
    }),
  )
  await step(`the merchant takes the money, and ${offer.commission} % cash back arrives`, () =>
    call('POST', `/v0/sandbox/authorizations/${purchase.id}/settle`),
  )
  await step('the merchant gives $10.00 back, and the cash back on it is taken back', () =>
    call('POST', `/v0/sandbox/authorizations/${purchase.id}/refund`, { amount: 10_00 }),
  )

  await printReceipt(service, account)
  say(`\n  customer ${customer.id}, account ${account.id}, card ${card.id}, payment ${payment.id}`)
}

/** Verifies an account of the customer at another bank, and collects money from it, once in vain. */
async function fund({ call, step }: ReturnType<typeof connect>, customer: Record, account: Record): Promise<void> {
  const own = await step('she names her own account at another bank', () =>
    call('POST', `/v0/banking/customers/${customer.id}/external-accounts`, {
      ...{ type: 'Person', name: 'Ada Example', accountType: 'Checking' },
      ...{ routingNumber: '021000021', accountNumber: String(5_000_000_000 + Number(customer.id)) },
    }),
  )
  const path = `/v0/banking/external-accounts/${own.id}`
  const { verification } = await step('which gets two small credits to verify it', () =>
    call('POST', `${path}/verification`, { method: 'MicroEntries' }),
  )
  if ((verification as { status: string }).status === 'Pending')
    await step('that leave with an ACH file', () => call('POST', '/v0/sandbox/clock/advance', { by: 'P4D' }))
  const { entries } = await call('GET', `/v0/sandbox/external-accounts/${own.id}/micro-entries`)
  const credits = (entries as { direction: string; amount: number }[]).filter(({ direction }) => direction === 'Credit')
  await step('she confirms their amounts', () =>
    call('POST', `${path}/verification/confirm`, { amounts: credits.map(({ amount }) => amount) }),
  )
  await step('and authorizes debits', () =>
    call('PUT', `${path}/mandate`, {
      ...{ authorization: 'Online', textVersion: '2026-01', authorizedAt: '2026-01-05', address: '203.0.113.7' },
    }),
  )
  const collect = (amount: number, description: string) =>
    call('POST', `/v0/banking/accounts/${account.id}/payments`, {
      ...{ amount, description, counterpartyAccountId: own.id, originalType: 'ACH', direction: 'Debit' },
    })
  await step('she collects $500.00 from there', () => collect(500_00, 'Top up'))
  const second = await step('and $75.00 more', () => collect(75_00, 'Top up'))
  if (second.status === 'Pending')
    await step('both debits leave with an ACH file', () => call('POST', '/v0/sandbox/clock/advance', { by: 'P8D' }))
  await step('the other bank returns the second one, because money is missing', () =>
    call('POST', `/v0/sandbox/payments/${second.id}/return`, { returnCode: 'R01' }),
  )
}

/** Passes the cut-off of pending payments. */
async function leaveWithFile({ call, step }: ReturnType<typeof connect>): Promise<void> {
  await step('both payments leave with an ACH file', () => call('POST', '/v0/sandbox/clock/advance', { by: 'P4D' }))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function printReceipt(service: ReturnType<typeof connect>, account: Record): Promise<void> {
  const { balance, available } = await service.call('GET', `/v0/banking/accounts/${account.id}`)
  const list = await service.list(`/v0/banking/transactions?accountId=${account.id}&sort=createdAt`)
  say('\nReceipt')
  for (const { createdAt, direction, amount, balance: after, summary } of list) {
    const sign = direction === 'Debit' ? '-' : ' '
    say(
      `  ${String(createdAt).slice(0, 10)}  ${sign}${dollars(Number(amount)).padStart(10)}  ${dollars(Number(after)).padStart(10)}  ${summary}`,
    )
  }
  say(`  balance ${dollars(Number(balance))}, available ${dollars(Number(available))}`)
}

function connect() {
  const { port, host, dataDir, apiKey } = parseConfig(process.env)
  const file = join(dataDir, 'api-key')
  const key = apiKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
  if (key === undefined)
    throw new StartupError(`no API key: set PURSER_API_KEY, or start the service so that ${file} exists`)
  const url = `http://${host}:${port}`
  let number = 0

  async function send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-Service-API-Key': key ?? '', 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new StartupError(
        `no service answers at ${url} (${(error.cause as Error | undefined)?.message ?? error.message}): purser start`,
      )
    })
    const content = (await response.json()) as { data?: unknown; code?: string; detail?: string }
    if (!response.ok)
      throw new StartupError(`${method} ${path} answered ${response.status} ${content.code}: ${content.detail}`)
    return content.data
  }

  return {
    url,
    call: async (method: string, path: string, body?: unknown) => (await send(method, path, body)) as Record,
    list: async (path: string) => (await send('GET', path)) as Record[],
    bestOffer: async () => {
      const path = '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0'
      const { nationalRewardOffers } = (await send('GET', path)) as { nationalRewardOffers: Offer[] }
      const [offer] = nationalRewardOffers
      if (!offer) throw new StartupError('the catalogue has no national offer')
      return offer
    },
    step: async (what: string, run: () => Promise<Record>) => {
      const record = await run()
      process.stdout.write(`  ${String(++number).padStart(2)}. ${what}\n`)
      return record
    },
  }
}

demo().catch(fail)
