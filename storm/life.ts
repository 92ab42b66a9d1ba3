import { randomUUID } from 'node:crypto'
import type { Purser } from '../client/src/index.ts'
import { dollars } from '../ground/text.ts'
import type { Met } from './met.ts'
import { faults, Network, type Seen } from './network.ts'
import { createOrganisation } from './organisation.ts'
import { type Delivered, Post } from './post.ts'
import type { PlainStep, StormCustomer } from './step.ts'
import { doBankStep, type Parts, pick } from './steps.ts'

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

/** An action of the app, as a step. */
interface Action {
  action: string
  customer: number
  number: number
  amount: number
}

/** A life that broke a law. */
export interface Broken {
  law: string
  sentence: string
  /** The life, one line for each step and for what it caused. */
  story: string[]
  /** The places of the steps that did something until then. */
  done: number[]
}

class BrokenLaw extends Error {
  readonly law: string

  constructor(law: string, sentence: string) {
    super(sentence)
    this.law = law
  }
}

/** The longest answer of an action that stands in a story. */
const MOST_ANSWER = 60
const DAYS = 60
const DAY_MS = 24 * 3_600_000
const REGULAR_WORK = 'the app does its regular work'
const LAWS = 'the app answers its laws'

/** Lives a life against a new bank and a new app. Returns the law that does not hold at a look or at the end. */
export async function live<App extends StormApp>(
  subject: Subject<App>,
  life: Life,
  { url, admin, met }: { url: string; admin: Purser; met: Met },
): Promise<Broken | undefined> {
  const organisation = await createOrganisation(url, admin, life)
  const { purser } = organisation
  const { data: before } = await purser.events.list({ sort: '-sequence', limit: 1 }).page()
  const post = new Post(purser, before[0]?.sequence ?? 0, life.now)
  const network = new Network(url, () => post.deliver())
  const end = new Date(Date.parse(life.now) + (life.days ?? DAYS) * DAY_MS).toISOString()
  const living = new Living(subject, { ...organisation, network, post, met, end })
  const done: number[] = []
  try {
    await network.open()
    await living.start()
    for (const [at, step] of life.steps.entries()) {
      done.push(at)
      if (!(await living.do(step))) done.pop()
    }
    await living.look()
    return undefined
  } catch (error) {
    if (!(error instanceof BrokenLaw)) throw error
    return { law: error.law, sentence: error.message, story: living.story, done }
  } finally {
    await living.stop()
    await network.close()
    await purser.sandbox.organisations.delete()
  }
}

class Living<App extends StormApp> {
  readonly story: string[] = []
  readonly #subject: Subject<App>
  readonly #parts: Parts & { met: Met }
  /** Another bank may give its organisations the same ids. */
  readonly #name = randomUUID()
  #app: App | undefined

  constructor(subject: Subject<App>, parts: Parts & { met: Met }) {
    this.#subject = subject
    this.#parts = parts
  }

  async start(): Promise<App> {
    const { network, apiKey, post, customers } = this.#parts
    const { url } = network
    post.appSecret = post.secret
    this.#app = await this.#subject.start({ url, apiKey, webhookSecret: post.secret, customers, life: this.#name })
    post.appUrl = this.#app.webhookUrl
    return this.#app
  }

  async stop(): Promise<void> {
    const app = this.#app
    this.#app = undefined
    this.#parts.post.appUrl = undefined
    await app?.stop()
  }

  /** Does a step, and delivers the webhooks that it caused. Answers whether there was something to do. */
  async do(step: PlainStep): Promise<boolean> {
    if (step.do === 'look') {
      await this.look()
      return true
    }
    const words = await this.#doStep(step)
    if (words === undefined) return false
    this.#tell(words)
    this.#noteRequests()
    const { post, purser } = this.#parts
    post.now = (await purser.sandbox.clock.get()).now
    // Later the bank would give up deliveries that the app cannot verify.
    if (post.isSecretOverdue) await this.#giveSecret()
    this.#noteDeliveries(await post.deliver())
    this.#noteRequests()
    return true
  }

  async #doStep(step: PlainStep): Promise<string | undefined> {
    if (step.do === 'act') return this.#act(step as unknown as Action)
    if (step.do !== 'restart') return doBankStep(step, this.#parts)
    await this.#restart()
    return 'the app restarts'
  }

  async #act({ action, customer, number, amount }: Action): Promise<string> {
    const act = this.#subject.actions[action]
    const who = pick(this.#parts.customers, customer)
    // A stored life may have been changed by hand.
    if (!act || !who) throw new Error(`the storm has no action "${action}"`)
    const { met } = this.#parts
    const called = `the app does "${action}" (customer ${who.customerId}, number ${number}, ${dollars(amount)})`
    try {
      const answer = await act(this.#app ?? (await this.start()), { customer: who, number, amount })
      met.action(action, 'done')
      return typeof answer === 'string' && answer.length <= MOST_ANSWER ? `${called}, and answers: ${answer}` : called
    } catch (error) {
      met.action(action, 'refused')
      return `${called}, and throws: ${(error as Error).message}`
    }
  }

  async #restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  async #giveSecret(): Promise<void> {
    await this.#restart()
    this.#tell('the app restarts with the new webhook secret')
  }

  /** Lets everything arrive that is under way, and looks at the laws. */
  async look(): Promise<void> {
    const { network, post, purser, customers } = this.#parts
    const { laws } = this.#subject
    if (post.isSecretMissing) await this.#giveSecret()
    const app = this.#app ?? (await this.start())
    network.calm()
    await this.#arrive()
    await orBroken(REGULAR_WORK, () => this.#subject.calm?.(app))
    this.#noteRequests(REGULAR_WORK)
    await this.#arrive()
    const world = { app, purser, customers }
    try {
      const read = await orBroken(LAWS, () => (typeof laws === 'function' ? laws(world) : laws))
      for (const [law, outcome] of Object.entries(read)) {
        const answer = typeof outcome === 'function' ? await orBroken(law, () => outcome(world)) : outcome
        if (answer !== true) throw new BrokenLaw(law, String(answer))
      }
    } finally {
      this.#noteRequests(LAWS)
    }
  }

  async #arrive(): Promise<void> {
    const { delivered, refused } = await this.#parts.post.deliverAll()
    if (delivered.length > 0) this.#tell('what was under way arrives')
    this.#noteDeliveries(delivered)
    this.#noteRequests()
    if (!refused) return
    const { event, status } = refused
    const sentence = `${event.type} was answered with ${status || 'nothing'}, however often it came`
    throw new BrokenLaw('the app takes every webhook', sentence)
  }

  /** Adds a line with the time, such as "Fri, 06 Mar 2026 14:00": weekdays matter to banks. */
  #tell(words: string): void {
    this.story.push(`${new Date(this.#parts.post.now).toUTCString().slice(0, 22)}  ${words}`)
  }

  /** Adds the requests of the app, after a line that says what caused them. */
  #noteRequests(cause?: string): void {
    const { network, met } = this.#parts
    const seen = network.seen()
    for (const one of seen) met.request(one)
    const shown = seen.filter(({ method, status }) => method !== 'GET' || status >= 400)
    if (cause && shown.length > 0) this.#tell(cause)
    for (const one of shown) {
      this.#noteDeliveries(one.overtakenBy, ' before the request that caused it is answered')
      this.story.push(`  ${requestInWords(one)}`)
    }
  }

  #noteDeliveries(delivered: Delivered[], when = ''): void {
    for (const { event, status } of delivered) {
      this.#parts.met.event(event)
      this.story.push(`  ← ${event.type} ${event.entity.id}${when}: the app answers ${status || 'nothing'}`)
    }
  }
}

/** Does what must not fail in calm weather. An error breaks the law: the life that led there is worth a story. */
async function orBroken<Answer>(law: string, answer: () => Answer): Promise<Awaited<Answer>> {
  try {
    return await answer()
  } catch (error) {
    throw new BrokenLaw(law, String(error))
  }
}

function requestInWords({ method, path, status, code, fault }: Seen): string {
  const request = `→ ${method} ${path}${fault ? ` ${faults[fault].words}` : ''}`
  return status === 0 ? request : `${request}: ${status}${code ? ` ${code}` : ''}`
}
