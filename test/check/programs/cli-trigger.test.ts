import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Played, playTrigger } from '../../../cli/trigger/play.ts'
import { type Named, Stage } from '../../../cli/trigger/stage.ts'
import { isTrigger } from '../../../cli/trigger/trigger.ts'
import { triggers } from '../../../cli/trigger/triggers.ts'
import { type EventType, isProblem, Purser } from '../../../client/src/index.ts'
import { eventTypes } from '../../../src/events/event.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { merchant, nationalOffer } from '../../support/offers.ts'
import { runInProcess } from '../../support/run/command-line.ts'

const DAY_MS = 86_400_000
const catalogue = [nationalOffer({ merchant: merchant('Tamberly Market'), commission: 5, totalCommission: 8 })]
/** Events that need other settings of the service than those by default. */
const bySettings: EventType[] = [
  'application.awaitingDocuments',
  'application.pendingReview',
  'reward.paid',
  'reward.reversed',
]
const emitted = eventTypes.filter((type) => isTrigger(triggers[type]))

interface Side {
  bank: TestBank
  url: string
  purser: Purser
}
let plain: Side
/** Documents wait for a review, and payouts for three days. */
let slow: Side

async function open(options: Parameters<typeof openTestBank>[0]): Promise<Side> {
  const bank = await openTestBank({ catalogue, ...options })
  const url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  return { bank, url, purser: new Purser({ url, apiKey: bank.key }) }
}
beforeAll(async () => {
  plain = await open({})
  slow = await open({ review: 'manual', payoutDelayMs: 3 * DAY_MS })
})
afterAll(() => Promise.all([plain, slow].map(({ bank }) => bank.close())))

function play({ purser }: Side, type: EventType, named: Named = {}, mayAdvance = true): Promise<Played> {
  const entry = triggers[type]
  if (!isTrigger(entry)) throw new Error(`${type} cannot be triggered`)
  return playTrigger(type, entry, new Stage(purser, named, { mayAdvance: async () => mayAdvance }))
}

/** The operations that changed something since a place of the log. */
async function writesSince({ purser }: Side, after: number): Promise<string[]> {
  const { data } = await purser.requests.list({ after, limit: 1000 }).page()
  return data.filter(({ method }) => method !== 'GET').map(({ operation }) => operation)
}

async function lastRequest({ purser }: Side): Promise<number> {
  const [last] = (await purser.requests.list({ sort: '-sequence', limit: 1 }).page()).data
  return last?.sequence ?? 0
}

describe('every type of the catalogue', () => {
  test('has an entry, and no entry is left over', () => {
    expect(Object.keys(triggers).toSorted()).toEqual([...eventTypes].toSorted())
  })

  test.each(emitted.filter((type) => !bySettings.includes(type)))(
    '%s comes, by the calls that it lists',
    async (type) => {
      const before = await lastRequest(plain)
      const played = await play(plain, type, {}, false)
      const event = await plain.purser.events.get(played.event)
      expect(event).toMatchObject({ type, sequence: played.sequence, entity: played.entity })
      const entry = triggers[type]
      expect(await writesSince(plain, before)).toEqual(isTrigger(entry) && entry.calls)
    },
  )

  test.each([...bySettings, 'reward.clawedBack', 'rewardPayment.created'] as const)(
    '%s comes where documents and payouts wait',
    async (type) => {
      const played = await play(slow, type)
      expect(await slow.purser.events.get(played.event)).toMatchObject({ type, entity: played.entity })
      const entry = triggers[type]
      const calls = await writesSince(slow, 0)
      if (isTrigger(entry) && bySettings.includes(type)) expect(calls.slice(-entry.calls.length)).toEqual(entry.calls)
    },
  )

  test.each(bySettings)('%s names the setting that it needs', async (type) => {
    await expect(play(plain, type)).rejects.toThrow(/PURSER_(REVIEW=manual|REWARD_PAYOUT_DELAY=)/)
  })

  test('comes without a move of bank time unless that is allowed', async () => {
    const { now } = await slow.purser.sandbox.clock.get()
    await expect(play(slow, 'reward.paid', {}, false)).rejects.toThrow(/bank time to move to .*: add --advance/)
    expect(Date.parse((await slow.purser.sandbox.clock.get()).now) - Date.parse(now)).toBeLessThan(DAY_MS)
  })
})

describe('a record of the caller', () => {
  /** Ids of records that belong together. */
  async function world() {
    const { made } = await play(plain, 'payment.created')
    const idOf = (type: string) => made.find((each) => each.type === type)?.id ?? ''
    const [customer, account, payment] = ['customer', 'account', 'payment'].map(idOf)
    return { customer: customer ?? '', account: account ?? '', payment: payment ?? '' }
  }

  test('is used, with those that belong to it, and nothing else is made', async () => {
    const { account, payment } = await world()
    const returned = await play(plain, 'payment.returned', { payment })
    expect([returned.entity.id, returned.made]).toEqual([payment, []])
    const paid = await play(plain, 'payment.created', { account })
    expect(paid.made).toEqual([{ type: 'payment', id: paid.entity.id }])
    const charged = await play(plain, 'authorization.created', { account })
    expect(charged.made.map(({ type }) => type)).toEqual(['card', 'authorization'])
    const declined = await play(plain, 'authorization.declined', { account })
    expect((await plain.purser.authorizations.get(declined.entity.id)).status).toBe('Declined')
  })

  test('whose card earns nothing yet is linked', async () => {
    const { made } = await play(plain, 'authorization.created')
    const card = made.find(({ type }) => type === 'card')?.id ?? ''
    const first = await play(plain, 'reward.created', { card })
    expect(first.made.map(({ type }) => type)).toContain('partnerUserCard')
    const second = await play(plain, 'rewardableTransaction.created', { card })
    expect(second.made.map(({ type }) => type)).toEqual(['authorization', 'transaction'])
    const account = made.find(({ type }) => type === 'account')?.id ?? ''
    const other = await plain.purser.cards.create({ type: 'individualVirtualDebitCard', accountId: account })
    const third = await play(plain, 'reward.created', { card: other.id })
    expect(third.made.map(({ type }) => type)).toEqual(['partnerUserCard', 'authorization', 'transaction'])
  })

  test('gets the statement of its first month, once bank time may move to the end of it', async () => {
    const { made } = await play(slow, 'account.created')
    const account = made.find(({ type }) => type === 'account')?.id ?? ''
    await expect(play(slow, 'statement.created', { account }, false)).rejects.toThrow(/--advance/)
    const { entity } = await play(slow, 'statement.created', { account })
    expect(await slow.purser.statements.get(entity.id, {})).toMatchObject({ id: entity.id, accountId: account })
  })

  test('whose state refuses the change is named with the problem and the operation that leads there', async () => {
    const { account, payment } = await world()
    await expect(play(plain, 'account.unfrozen', { account })).rejects.toThrow(
      /^account\.unfrozen: unfreezeAccount is refused with \w+: .+ freezeAccount leads there\. In its present state account \d+ takes createCard, createPayment, /,
    )
    await play(plain, 'payment.returned', { payment })
    await expect(play(plain, 'payment.returned', { payment })).rejects.toThrow(
      /returnPayment is refused with payment_not_returnable: .+ Without --payment, the command makes a record of its own\./,
    )
    const frozen = await play(plain, 'account.frozen', { account })
    await expect(play(plain, 'payment.created', { account: frozen.entity.id })).rejects.toThrow(
      /unfreezeAccount leads there/,
    )
    const { entity } = await play(plain, 'card.statusChanged', { account: (await world()).account })
    await expect(play(plain, 'authorization.created', { card: entity.id })).rejects.toThrow(/was declined \(\w+\)/)
    await expect(play(plain, 'card.activated', { card: '9' })).rejects.toSatisfy((error) =>
      isProblem(error, 'card_not_found'),
    )
  })

  test('that does not change emits nothing, and the command says so', async () => {
    const { entity } = await play(plain, 'webhookEndpoint.disabled')
    await expect(play(plain, 'webhookEndpoint.disabled', { webhookEndpoint: entity.id })).rejects.toThrow(
      'no webhookEndpoint.disabled came within 3 seconds: the record was in that state before',
    )
  })

  test('is not touched if the key lacks the right to one of the calls', async () => {
    const apiKey = await plain.bank.makeKey('first', ['banking:read', 'events:read', 'sandbox:write'])
    const side = { ...plain, purser: new Purser({ url: plain.url, apiKey }) }
    await expect(play(side, 'payment.returned')).rejects.toThrow(
      /^payment\.returned needs operations that key \d+ may not call: createAccount, createExternalAccount, createPayment$/,
    )
  })
})

describe('the command', () => {
  const run = (...words: string[]) =>
    runInProcess(['trigger', ...words], { environment: { PURSER_URL: plain.url, PURSER_API_KEY: plain.bank.key } })

  test('prints the event and the records', async () => {
    const { code, stdout, stderr } = await run('payment.returned', '--amount', '1250')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const played: Played = JSON.parse(stdout)
    expect(played.made.map(({ type }) => type)).toEqual([
      ...['customer', 'account', 'transaction', 'externalAccount', 'payment'],
    ])
    expect((await plain.purser.payments.get(played.entity.id)).amount).toBe(1250)
  })

  test('lists every type with the options that it takes, also without a service', async () => {
    const { stdout } = await run()
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ type }) => type).toSorted()).toEqual([...eventTypes].toSorted())
    expect(rows).toContainEqual({
      type: 'payment.returned',
      description: 'A payment was returned by the other bank: the money is back, and that of a debit was taken back.',
      trigger: 'Returns a payment, as the receiving bank would.',
      options: ['--payment', '--account', '--customer', '--external-account'],
    })
    const alone = await runInProcess([
      'trigger',
      '--list',
      '--server',
      'http://127.0.0.1:1',
      '--api-key',
      'sk_12345678',
    ])
    expect([alone.code, alone.stdout.split('\n').length]).toEqual([0, eventTypes.length + 1])
  })

  test.each([
    [['payment.retruned'], 2, /there is no event payment.retruned \(did you mean payment.returned\?\)/],
    [['payment.sent'], 1, /payment.sent cannot be triggered at the built-in bank. Unit reports it/],
    [['account.frozen', '--payment', '1'], 2, /account.frozen takes --account, --customer, not --payment/],
    [['customer.created', '--card', '1'], 2, /takes no record/],
    [['payment.created', '--amount', '1.50'], 2, /--amount takes a number of cents/],
    [['payment.returned', '--payment', '9'], 1, /payment_not_found/],
  ])('is refused: %j', async (words, code, message) => {
    expect(await run(...words)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) })
  })

  test('with --dry-run prints the calls and makes none', async () => {
    const before = await lastRequest(plain)
    const { stdout } = await run('account.frozen', '--dry-run')
    expect(JSON.parse(stdout)).toMatchObject({ calls: ['createCustomer', 'createAccount', 'freezeAccount'] })
    expect(await writesSince(plain, before)).toEqual([])
    const { stdout: table } = await runInProcess(['trigger', 'account.frozen', '--dry-run'], { columns: 80 })
    expect(table).toMatch(/^account\.frozen: Freezes an account\.\nOPERATION +REQUEST\n/)
    expect(table).toMatch(/^freezeAccount +POST \/v0\/banking\/accounts\/:accountId\/freeze$/m)
  })

  test('lists the types on a terminal in lines that fit, with nothing cut', async () => {
    const environment = { PURSER_URL: plain.url, PURSER_API_KEY: plain.bank.key }
    const { stdout } = await runInProcess(['trigger'], { environment, columns: 80 })
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    expect(stdout).not.toContain('…')
    expect(stdout).toMatch(/^payment\.returned +Returns a payment, as the receiving bank\n +would\.$/m)
  })
})
