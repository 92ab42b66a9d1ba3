import {
  type CampaignOffer,
  type CreateCampaignOfferRequest,
  type CreateCampaignRequest,
  type CreatedOrganisation,
  type EventFilter,
  type EventOf,
  Purser,
} from '../client/src/index.ts'
import { type ReceiveOptions, type ReceiverServer, WebhookReceiver } from './webhook-receiver.ts'

export interface OrganisationOptions {
  /** A name to recognise it by. */
  name?: string
  /** Bank time at which its clock starts; the present by default. */
  now?: string
  /** Whether its clock stands still until it is advanced. */
  frozen?: boolean
}

export interface WaitOptions {
  /** Milliseconds to wait; 10,000 by default. */
  timeoutMs?: number
}

export interface CampaignOptions extends Partial<CreateCampaignRequest> {
  /** Members of its offer; without any it gives 10 % at Sample Bistro. */
  offer?: Partial<CreateCampaignOfferRequest>
  /** Id of the partner user who activates the offer. */
  activatedBy?: number
}

export interface TestCampaign {
  campaignId: string
  offer: CampaignOffer
}

const WAIT_MS = 10_000

/** An isolated bank for one test. */
export class TestOrganisation {
  readonly id: string
  readonly url: string
  readonly apiKey: string
  /** A client that may do everything in this organisation. */
  readonly purser: Purser
  readonly #server: () => Promise<ReceiverServer>

  constructor(url: string, { id, apiKey }: CreatedOrganisation, server: () => Promise<ReceiverServer>) {
    this.id = id
    this.url = url
    this.apiKey = apiKey.key
    this.purser = new Purser({ url, apiKey: apiKey.key })
    this.#server = server
  }

  /** The environment of an app under test, which uses `purser-client` without settings of its own. */
  get environment(): { PURSER_URL: string; PURSER_API_KEY: string } {
    return { PURSER_URL: this.url, PURSER_API_KEY: this.apiKey }
  }

  /** The first event of this type that matches, since the organisation was created; waits for it if need be. */
  async event<Filter extends EventFilter>(
    type: Filter,
    matches: (event: EventOf<Filter>) => boolean = () => true,
    { timeoutMs = WAIT_MS }: WaitOptions = {},
  ): Promise<EventOf<Filter>> {
    const signal = AbortSignal.timeout(timeoutMs)
    for await (const event of this.purser.events.follow({ after: 0, types: [type], signal })) {
      if (matches(event)) return event
    }
    throw new Error(`no ${type} that matches came within ${timeoutMs} ms; ${await this.#seen()}`)
  }

  /** Creates a webhook endpoint whose deliveries are received, verified and kept. No port of the test's own is needed. */
  async webhooks(options: ReceiveOptions = {}): Promise<WebhookReceiver> {
    const server = await this.#server()
    return WebhookReceiver.open(this.purser, server, options)
  }

  /** Creates a campaign with an offer. If `activatedBy` names a partner user, the offer needs an activation, and this user has one. */
  async campaign({ activatedBy, offer, ...campaign }: CampaignOptions = {}): Promise<TestCampaign> {
    const { id } = await this.purser.campaigns.create({ name: 'Test campaign', ...campaign })
    const made = await this.purser.campaignOffers.create(id, {
      ...{ merchantName: 'Sample Bistro', title: 'Cash back' },
      ...(offer?.amount === undefined && { commission: 10 }),
      ...(activatedBy !== undefined && { activation: { days: 30 } }),
      ...offer,
    })
    if (activatedBy !== undefined) await this.purser.offerActivations.create(made.id, { partnerUserId: activatedBy })
    return { campaignId: id, offer: made }
  }

  /** Deletes the organisation. One that is left alone is deleted after a day. */
  async delete(): Promise<void> {
    await this.purser.sandbox.organisations.delete()
  }

  /** The types of the latest events, for the message of a failed test. */
  async #seen(): Promise<string> {
    const { data } = await this.purser.events.list({ sort: '-sequence', limit: 10 }).page()
    return data.length === 0 ? 'there are no events' : `the latest were ${data.map(({ type }) => type).join(', ')}`
  }
}
