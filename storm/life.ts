import { Purser } from '../client/src/index.ts'
import { dollars } from '../ground/text.ts'
import type { Met } from './met.ts'
import { faultInWords, type Network, openNetwork, type Seen } from './network.ts'
import { type Delivered, openPost, type Post } from './post.ts'
import type { Step, StormCustomer } from './step.ts'
import { doBankStep, pick } from './steps.ts'

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

/** A law holds (`true`), or says in a sentence what is wrong. */
export type Law<App> = (world: {
  app: App
  purser: Purser
  customers: StormCustomer[]
}) => Promise<true | string> | true | string

export interface Subject<App extends StormApp> {
  /** Starts the app against a bank. It is called again after a restart. */
  start(bank: StormBank): Promise<App>
  /** The actions that drive the app, by their names. One that throws has been refused by the app. */
  actions: Record<string, (app: App, input: ActionInput) => Promise<unknown>>
  /** Sentences that must be true whenever everything that is under way has arrived. */
  laws: Record<string, Law<App>>
  /** Work that the app does now and then, such as a nightly job. It is called before the laws are looked at. */
  calm?(app: App): Promise<unknown>
}

/** The law that was broken, and the life that broke it. */
export class BrokenLaw extends Error {
  readonly law: string
  /** The life, one line for each step and for what it caused. */
  readonly story: string[]
  /** The steps that were done until then. */
  steps = 0

  constructor(law: string, sentence: string, story: string[]) {
    super(`${law}: ${sentence}`)
    this.law = law
    this.story = story
  }
}

/** The bank, and where a life begins in it. */
interface Beginning {
  url: string
  /** A client that may create organisations. */
  admin: Purser
  now: string
  /** The transfers that the first customer received before. */
  history: number
}

interface Organisation {
  url: string
  id: string
  purser: Purser
  apiKey: string
  customers: StormCustomer[]
}

/** Lives the steps against a new bank and a new app. Throws BrokenLaw if a law does not hold at a look or at the end. */
export async function live<App extends StormApp>(
  subject: Subject<App>,
  steps: Step[],
  { met, ...beginning }: Beginning & { met: Met },
): Promise<void> {
  const { url } = beginning
  const organisation = await settle(beginning)
  const network = await openNetwork(url)
  const life = new Life(
    subject,
    organisation,
    network,
    openPost(organisation.purser, await latestEvent(organisation.purser)),
    met,
  )
  let done = 0
  try {
    await life.start()
    for (const one of [...steps, { do: 'look' } as const]) {
      done++
      await life.do(one)
    }
  } catch (error) {
    if (error instanceof BrokenLaw) error.steps = Math.min(done, steps.length)
    throw error
  } finally {
    await life.stop()
    await network.close()
    await organisation.purser.sandbox.organisations.delete()
  }
}

class Life<App extends StormApp> {
  readonly #subject: Subject<App>
  readonly #organisation: Organisation
  readonly #network: Network
  readonly #post: Post
  readonly #met: Met
  readonly #story: string[] = []
  #app: App | undefined
  #turn = 0

  constructor(subject: Subject<App>, organisation: Organisation, network: Network, post: Post, met: Met) {
    this.#subject = subject
    this.#organisation = organisation
    this.#network = network
    this.#post = post
    this.#met = met
  }

  async start(): Promise<App> {
    const { apiKey, customers, id } = this.#organisation
    const bank = { url: this.#network.url, apiKey, webhookSecret: this.#post.secret, customers, life: id }
    this.#app = await this.#subject.start(bank)
    this.#post.started()
    return this.#app
  }

  async stop(): Promise<void> {
    const app = this.#app
    this.#app = undefined
    await app?.stop()
  }

  /** Does a step, and delivers the webhooks that it caused. */
  async do(one: Step): Promise<void> {
    if (one.do === 'look') return this.#look()
    const words = await this.#doStep(one)
    if (words === undefined) return
    this.#story.push(words)
    this.#noteRequests()
    this.#noteDeliveries(await this.#post.deliver(this.#app?.webhookUrl, this.#turn++))
    this.#noteRequests()
  }

  async #doStep(one: Step): Promise<string | undefined> {
    if (one.do === 'act') return this.#act(one)
    if (one.do === 'restart' || one.do === 'rotate') {
      await this.stop()
      if (one.do === 'rotate') this.#post.rotate()
      await this.start()
      return one.do === 'rotate' ? 'the webhook secret is rotated, and the app restarts with it' : 'the app restarts'
    }
    const { purser, customers } = this.#organisation
    return doBankStep(one, { purser, network: this.#network, post: this.#post, customers })
  }

  async #act({ action, customer, number, amount }: Extract<Step, { do: 'act' }>): Promise<string> {
    const act = this.#subject.actions[action]
    const who = pick(this.#organisation.customers, customer)
    if (!act || !who) throw new Error(`the storm has no action "${action}"`)
    const called = `the app does "${action}" (customer ${who.customerId}, number ${number}, ${dollars(amount)})`
    try {
      await act(this.#app ?? (await this.start()), { customer: who, number, amount })
      return called
    } catch (error) {
      return `${called}, and answers: ${(error as Error).message}`
    }
  }

  /** Lets everything arrive that is under way, and looks at the laws. */
  async #look(): Promise<void> {
    const app = this.#app ?? (await this.start())
    this.#network.calm()
    await this.#arrive(app)
    await this.#subject.calm?.(app)
    await this.#arrive(app)
    const { purser, customers } = this.#organisation
    for (const [law, holds] of Object.entries(this.#subject.laws)) {
      const outcome = await holds({ app, purser, customers })
      this.#network.seen()
      if (outcome !== true) throw new BrokenLaw(law, outcome, this.#story)
    }
  }

  async #arrive(app: App): Promise<void> {
    const { delivered, refused } = await this.#post.deliverAll(app.webhookUrl)
    this.#noteDeliveries(delivered)
    this.#noteRequests()
    if (!refused) return
    const { event, status } = refused
    const sentence = `${event.type} was answered with ${status || 'nothing'}, however often it came`
    throw new BrokenLaw('the app takes every webhook', sentence, this.#story)
  }

  #noteRequests(): void {
    for (const seen of this.#network.seen()) {
      this.#met.request(seen)
      if (seen.method !== 'GET' || seen.status >= 400) this.#story.push(`  ${requestInWords(seen)}`)
    }
  }

  #noteDeliveries(delivered: Delivered[]): void {
    for (const { event, status } of delivered) {
      this.#met.event(event)
      const { id } = event.data as { id?: string | number }
      this.#story.push(`  ← ${event.type} ${id ?? ''}: the app answers ${status || 'nothing'}`)
    }
  }
}

function requestInWords({ method, path, status, code, fault }: Seen): string {
  const request = `→ ${method} ${path}`
  if (fault) return `${request} ${faultInWords(fault)}`
  return `${request}: ${status}${code ? ` ${code}` : ''}`
}

/** Accounts that other banks have: one that takes what it gets, one that gets new numbers, one that returns. */
const accountNumbers = ['1234567890', '9992000001', '9991000001']
const FUNDS = 500_000
const FUNDING_MS = 7 * 24 * 3_600_000

/** Creates an organisation with two customers, each with an account, money, a card and accounts at other banks. */
async function settle({ url, admin, now, history }: Beginning): Promise<Organisation> {
  const before = new Date(Date.parse(now) - FUNDING_MS).toISOString()
  const { id, apiKey } = await admin.sandbox.organisations.create({ name: 'Storm', now: before, frozen: true })
  const purser = new Purser({ url, apiKey: apiKey.key })
  // One after the other: steps choose records by their order, which is that of their ids.
  const customers = [await settleCustomer(purser, 'Ada Example'), await settleCustomer(purser, 'Bo Example')]
  const { accountId = '' } = customers[0] ?? {}
  const salary = { amount: 1, companyName: 'Employer' }
  await Promise.all(Array.from({ length: history }, () => purser.sandbox.accounts.receiveAch(accountId, salary)))
  // Money from another bank settles after some banking days.
  await purser.sandbox.clock.advance({ to: now })
  return { url, id, purser, apiKey: apiKey.key, customers }
}

async function settleCustomer(purser: Purser, name: string): Promise<StormCustomer> {
  const { id: customerId } = await purser.sandbox.customers.create({ name })
  const external = (accountNumber: string) =>
    purser.externalAccounts.create(customerId, {
      ...{ type: 'Person', name: 'Payee', accountNumber, accountType: 'Checking', routingNumber: '021000021' },
    })
  const { id: accountId } = await purser.accounts.create({ customerId })
  const [card, , ...externals] = await Promise.all([
    purser.cards.create({ accountId, type: 'individualVirtualDebitCard' }),
    purser.sandbox.accounts.receiveAch(accountId, { amount: FUNDS, companyName: 'Employer' }),
    ...accountNumbers.map(external),
  ])
  return { customerId, accountId, cardId: card.id, externalAccountIds: externals.map((each) => each.id) }
}

async function latestEvent(purser: Purser): Promise<number> {
  const { data } = await purser.events.list({ sort: '-sequence', limit: 1 }).page()
  return data[0]?.sequence ?? 0
}
