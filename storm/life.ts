import { randomUUID } from 'node:crypto'
import { Purser } from '../client/src/index.ts'
import { dollars } from '../ground/text.ts'
import type { Met } from './met.ts'
import { faultInWords, type Network, openNetwork, type Seen } from './network.ts'
import { type Delivered, Post } from './post.ts'
import type { PlainStep, StormCustomer } from './step.ts'
import { doBankStep, pick, type Step } from './steps.ts'

/** The bank as the app sees it. */
export interface StormBank {
  /** The address for `purser-client`: the network of the storm is in between. */
  url: string
  apiKey: string
  /** Signs the webhooks that the app gets. Another start may have another one. */
  webhookSecret: string
  customers: StormCustomer[]
  /** The same for all starts of one life: an app that keeps its data between starts names them by it. */
  life: string
}

/** A running app. */
export interface StormApp {
  /** The address at which the app takes webhooks. */
  webhookUrl: string
  stop(): Promise<void>
}

/** The values that the storm drew for an action. */
export interface ActionInput {
  customer: StormCustomer
  /** A small number, such as that of an invoice. Actions get the same one again and again. */
  number: number
  /** An amount in cents. */
  amount: number
}

/** The app and its bank when everything that was under way has arrived. */
interface Calm<App> {
  app: App
  purser: Purser
  customers: StormCustomer[]
}

/** A law holds (`true`), or says in a sentence what is wrong. */
export type Law<App> = (world: Calm<App>) => Promise<true | string> | true | string

export interface Subject<App extends StormApp> {
  /** Starts the app against a bank. It is called again after a restart. */
  start(bank: StormBank): Promise<App>
  /** The actions that drive the app, by their names. One that throws has been refused by the app. A short text that one returns is a line of the story. */
  actions: Record<string, (app: App, input: ActionInput) => Promise<unknown>>
  /** Sentences that must be true whenever everything that was under way has arrived, or a function that answers all of them. */
  laws: Record<string, Law<App>> | ((world: Calm<App>) => Promise<Record<string, true | string>>)
  /** Work that the app does now and then, such as a nightly job. It is called before the laws are looked at. */
  calm?(app: App): Promise<unknown>
}

/** The law that was broken, and the life that broke it. */
export class BrokenLaw extends Error {
  readonly law: string
  /** The life, one line for each step and for what it caused. */
  readonly story: string[]
  /** The places of the steps that did something until then. */
  done: number[] = []

  constructor(law: string, sentence: string, story: string[]) {
    super(`${law}: ${sentence}`)
    this.law = law
    this.story = story
  }
}

/** A life that can be lived again: it is what a failing storm prints and stores. */
export interface Life {
  /** Bank time at its beginning. */
  now: string
  /** The days after which it ends; 60 by default. */
  days?: number
  /** The transfers that the first customer received before. Lists have several pages then. */
  history?: number
  steps: PlainStep[]
}

/** The bank of a life: an organisation of its own. */
interface Organisation {
  name: string
  purser: Purser
  reviewer: Purser
  apiKey: string
  customers: StormCustomer[]
}

/** The parts of a life. */
interface World<App extends StormApp> {
  subject: Subject<App>
  organisation: Organisation
  network: Network
  post: Post
  met: Met
  now: string
  end: string
}

/** The longest answer of an action that stands in a story. */
const MOST_ANSWER = 60
const DAYS = 60
/** The bank tries for three days to deliver a webhook, and signs with a former secret for one of them. */
const MOST_SECRET_MS = 3 * 24 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** Lives a life against a new bank and a new app. Throws BrokenLaw if a law does not hold at a look or at the end. */
export async function live<App extends StormApp>(
  subject: Subject<App>,
  { now, days = DAYS, history = 0, steps }: Life,
  { url, admin, met }: { url: string; admin: Purser; met: Met },
): Promise<void> {
  const organisation = await settle(url, admin, { now, history })
  const network = await openNetwork(url, () => living.overtake())
  const post = new Post(organisation.purser, await latestEvent(organisation.purser))
  const end = new Date(Date.parse(now) + days * DAY_MS).toISOString()
  const living = new Living({ subject, organisation, network, post, met, now, end })
  const done: number[] = []
  try {
    await living.start()
    for (const [at, one] of [...steps, { do: 'look' } as const].entries()) {
      done.push(at)
      // A stored life may have been changed by hand: a step that does not exist is refused when its turn comes.
      if (!(await living.do(one as Step))) done.pop()
    }
  } catch (error) {
    if (error instanceof BrokenLaw) error.done = done
    throw error
  } finally {
    await living.stop()
    await network.close()
    await organisation.purser.sandbox.organisations.delete()
  }
}

class Living<App extends StormApp> {
  readonly #world: World<App>
  readonly #story: string[] = []
  #app: App | undefined
  #now: string
  #turn = 0
  /** The time from which the app lacks a new webhook secret. */
  #lacksSecretSince: string | undefined
  /** Deliveries that came before the answer of the request that caused them. */
  #overtook: Delivered[] = []
  #overtaking: Promise<void> = Promise.resolve()

  constructor(world: World<App>) {
    this.#world = world
    this.#now = world.now
  }

  async start(): Promise<App> {
    const { subject, organisation, network, post } = this.#world
    const { apiKey, customers, name } = organisation
    this.#lacksSecretSince = undefined
    this.#app = await subject.start({ url: network.url, apiKey, webhookSecret: post.secret, customers, life: name })
    return this.#app
  }

  async stop(): Promise<void> {
    const app = this.#app
    this.#app = undefined
    await app?.stop()
  }

  async #restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  async #giveSecret(): Promise<void> {
    await this.#restart()
    this.#tell('the app restarts with the new webhook secret')
  }

  /** Delivers webhooks while a request of the app waits for its answer; those of two requests one after the other. */
  overtake(): Promise<void> {
    const { post } = this.#world
    this.#overtaking = this.#overtaking.then(async () => {
      this.#overtook.push(...(await post.deliver(this.#app?.webhookUrl, this.#turn++, this.#now)))
    })
    return this.#overtaking
  }

  /** Does a step, and delivers the webhooks that it caused. Answers whether there was something to do. */
  async do(one: Step): Promise<boolean> {
    if (one.do === 'look') {
      await this.#look()
      return true
    }
    const words = await this.#doStep(one)
    if (words === undefined) return false
    this.#tell(words)
    this.#noteRequests()
    this.#now = (await this.#world.organisation.purser.sandbox.clock.get()).now
    // Later the bank would give up deliveries that the app cannot verify.
    const late = Date.parse(this.#lacksSecretSince ?? this.#now) + MOST_SECRET_MS
    if (Date.parse(this.#now) > late) await this.#giveSecret()
    this.#noteDeliveries(await this.#world.post.deliver(this.#app?.webhookUrl, this.#turn++, this.#now))
    this.#noteRequests()
    return true
  }

  async #doStep(one: Exclude<Step, { do: 'look' }>): Promise<string | undefined> {
    const { organisation, network, post, end } = this.#world
    if (one.do === 'act') return this.#act(one)
    if (one.do === 'rotate') {
      post.rotate(this.#now)
      this.#lacksSecretSince ??= this.#now
      if (one.late) return 'the webhook secret is rotated; the app gets the new one with its next start'
    }
    if (one.do === 'restart' || one.do === 'rotate') {
      await this.#restart()
      return one.do === 'rotate' ? 'the webhook secret is rotated, and the app restarts with it' : 'the app restarts'
    }
    const { purser, reviewer, customers } = organisation
    return doBankStep(one, { purser, reviewer, network, post, customers, now: this.#now, end })
  }

  async #act({ action, customer, number, amount }: Extract<Step, { do: 'act' }>): Promise<string> {
    const act = this.#world.subject.actions[action]
    const who = pick(this.#world.organisation.customers, customer)
    if (!act || !who) throw new Error(`the storm has no action "${action}"`)
    const called = `the app does "${action}" (customer ${who.customerId}, number ${number}, ${dollars(amount)})`
    try {
      const answer = await act(this.#app ?? (await this.start()), { customer: who, number, amount })
      return typeof answer === 'string' && answer.length <= MOST_ANSWER ? `${called}, and answers: ${answer}` : called
    } catch (error) {
      return `${called}, and throws: ${(error as Error).message}`
    }
  }

  /** Lets everything arrive that is under way, and looks at the laws. */
  async #look(): Promise<void> {
    const { subject, organisation, network } = this.#world
    if (this.#lacksSecretSince !== undefined) await this.#giveSecret()
    const app = this.#app ?? (await this.start())
    network.calm()
    await this.#arrive(app)
    await this.#orBroken(REGULAR_WORK, () => subject.calm?.(app))
    this.#noteWork()
    await this.#arrive(app)
    const { purser, customers } = organisation
    const world = { app, purser, customers }
    const { laws } = subject
    const outcomes =
      typeof laws === 'function'
        ? Object.entries(await this.#orBroken('the app answers its laws', () => laws(world)))
        : Object.entries(laws).map(([law, holds]) => [law, () => holds(world)] as const)
    for (const [law, outcome] of outcomes) {
      const answer = typeof outcome === 'function' ? await this.#orBroken(law, outcome) : outcome
      if (answer !== true) throw new BrokenLaw(law, String(answer), this.#story)
    }
    network.seen()
  }

  /** Adds the requests of the regular work before the webhooks that they cause. */
  #noteWork(): void {
    const place = this.#story.length
    this.#noteRequests()
    if (this.#story.length > place) this.#story.splice(place, 0, this.#line(REGULAR_WORK))
  }

  /** Does what must not fail in calm weather. An error breaks the law: the life that led there is worth a story. */
  async #orBroken<Answer>(law: string, answer: () => Answer): Promise<Awaited<Answer>> {
    try {
      return await answer()
    } catch (error) {
      throw new BrokenLaw(law, String(error), this.#story)
    }
  }

  async #arrive(app: App): Promise<void> {
    const { delivered, refused } = await this.#world.post.deliverAll(app.webhookUrl, this.#now)
    if (delivered.length > 0) this.#tell('what was under way arrives')
    this.#noteDeliveries(delivered)
    this.#noteRequests()
    if (!refused) return
    const { event, status } = refused
    const sentence = `${event.type} was answered with ${status || 'nothing'}, however often it came`
    throw new BrokenLaw('the app takes every webhook', sentence, this.#story)
  }

  /** Adds a line with the time, such as "Fri, 06 Mar 2026 14:00": weekdays matter to banks. */
  #tell(words: string): void {
    this.#story.push(this.#line(words))
  }

  #line(words: string): string {
    return `${new Date(this.#now).toUTCString().slice(0, 22)}  ${words}`
  }

  #noteRequests(): void {
    this.#noteDeliveries(this.#overtook.splice(0), ' before the request that caused it is answered')
    for (const seen of this.#world.network.seen()) {
      this.#world.met.request(seen)
      if (seen.method !== 'GET' || seen.status >= 400) this.#story.push(`  ${requestInWords(seen)}`)
    }
  }

  #noteDeliveries(delivered: Delivered[], when = ''): void {
    for (const { event, status } of delivered) {
      this.#world.met.event(event)
      this.#story.push(`  ← ${event.type} ${event.entity.id}${when}: the app answers ${status || 'nothing'}`)
    }
  }
}

function requestInWords({ method, path, status, code, fault }: Seen): string {
  const request = `→ ${method} ${path}`
  if (fault) return `${request} ${faultInWords(fault)}`
  return `${request}: ${status}${code ? ` ${code}` : ''}`
}

const REGULAR_WORK = 'the app does its regular work'

/** Accounts at other banks: see `StormCustomer`. */
const accountNumbers = ['1234567890', '9992000001', '9990000003', '9991000006']
const FUNDS = 500_000
const FUNDING_DAYS = 7

/** Creates an organisation with two customers, each with an account, money, a card and accounts at other banks. */
async function settle(url: string, admin: Purser, { now, history }: { now: string; history: number }) {
  const before = new Date(Date.parse(now) - FUNDING_DAYS * DAY_MS).toISOString()
  const { apiKey } = await admin.sandbox.organisations.create({ name: 'Storm', now: before, frozen: true })
  const purser = new Purser({ url, apiKey: apiKey.key })
  const { key } = await purser.apiKeys.create({ name: 'Reviewer', scopes: ['review:write'] })
  const reviewer = new Purser({ url, apiKey: key })
  // One after the other: steps choose records by their order, which is that of their ids.
  const customers = [await settleCustomer(purser, 'Ada Example'), await settleCustomer(purser, 'Bo Example')]
  const { accountId = '' } = customers[0] ?? {}
  const salary = { amount: 1, companyName: 'Employer' }
  await Promise.all(Array.from({ length: history }, () => purser.sandbox.accounts.receiveAch(accountId, salary)))
  // Money from another bank settles after some banking days.
  await purser.sandbox.clock.advance({ to: now })
  // The name is new: another bank may give its organisations the same ids.
  return { name: randomUUID(), purser, reviewer, apiKey: apiKey.key, customers }
}

async function settleCustomer(purser: Purser, name: string): Promise<StormCustomer> {
  const { id: customerId } = await purser.sandbox.customers.create({ name })
  const external = (accountNumber: string) =>
    purser.externalAccounts.create(customerId, {
      ...{ type: 'Person', name: 'Payee', accountNumber, accountType: 'Checking', routingNumber: '021000021' },
    })
  const { id: accountId } = await purser.accounts.create({ customerId })
  const [card, user, , ...externals] = await Promise.all([
    purser.cards.create({ accountId, type: 'individualVirtualDebitCard' }),
    purser.partnerUsers.create({ userId: Number(accountId) }),
    purser.sandbox.accounts.receiveAch(accountId, { amount: FUNDS, companyName: 'Employer' }),
    ...accountNumbers.map(external),
  ])
  await purser.partnerUserCards.create({ partnerUserId: user.id, bankCardId: card.id })
  const externalAccountIds = externals.map((each) => each.id)
  return { customerId, accountId, cardId: card.id, partnerUserId: user.id, externalAccountIds }
}

async function latestEvent(purser: Purser): Promise<number> {
  const { data } = await purser.events.list({ sort: '-sequence', limit: 1 }).page()
  return data[0]?.sequence ?? 0
}
