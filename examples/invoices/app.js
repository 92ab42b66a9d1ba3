import { once } from 'node:events'
import { createServer } from 'node:http'
import { isConnectionError, isProblem, isWebhookError, Purser, unwrap } from 'purser-client'

/**
 * @typedef {object} Invoice
 * @property {string} customerId
 * @property {number} amount cents
 * @property {string} accountId the account that pays
 * @property {string} payeeId the external account that is paid
 * @property {'new' | 'refused' | 'paying' | 'paid' | 'returned'} state
 * @property {string} [paymentId]
 */

/** The database of the app: it outlives the process. */
export class Store {
  /** @type {Map<string, Invoice>} by the number of the invoice */
  invoices = new Map()
  /** @type {Map<string, { accountId: string, cents: number, month: string }>} by the id of the transaction */
  entries = new Map()
  /** @type {Map<number, number>} the cents of each reward, by its id */
  rewards = new Map()
  /** @type {Map<string, string>} the status of each account, by its id */
  accounts = new Map()
}

/** @type {Record<string, Invoice['state']>} The states of an invoice by the status of its payment. */
const states = {
  Pending: 'paying',
  PendingReview: 'paying',
  Clearing: 'paying',
  Sent: 'paid',
  Rejected: 'returned',
  Canceled: 'returned',
  Returned: 'returned',
}

/**
 * A later version may have further statuses: a payment of one that is not known is under way.
 *
 * @param {import('purser-client').Payment} payment
 */
const stateAfter = ({ status }) => states[status] ?? 'paying'

/** Pays invoices, and follows what becomes of the payments. */
export class InvoiceApp {
  /** The address at which webhooks are taken. */
  webhookUrl = ''
  #purser
  #store

  /**
   * @param {{ url: string, apiKey: string, webhookSecret: string }} bank
   * @param {Store} store
   */
  constructor({ url, apiKey, webhookSecret }, store) {
    this.#purser = new Purser({ url, apiKey })
    this.#store = store
    this.server = createServer((request, response) => this.#receive(request, response, webhookSecret))
  }

  /** Reads what happened before the app was there. */
  async load() {
    for await (const { id: accountId, status } of this.#purser.accounts.list()) {
      this.#store.accounts.set(accountId, status)
      for await (const transaction of this.#purser.transactions.list({ accountId })) this.#book(transaction, accountId)
    }
    return this
  }

  /**
   * The balance that the app shows, in cents, or what was booked in one month.
   *
   * @param {string} accountId
   * @param {string} [month] `YYYY-MM`
   */
  balance(accountId, month) {
    let cents = 0
    for (const entry of this.#store.entries.values()) {
      if (entry.accountId === accountId && (!month || entry.month === month)) cents += entry.cents
    }
    return cents
  }

  /** The cash back that the app shows, in cents. */
  get cashBack() {
    return [...this.#store.rewards.values()].reduce((sum, cents) => sum + cents, 0)
  }

  /** @param {string} accountId */
  isOpen(accountId) {
    return this.#store.accounts.get(accountId) === 'Open'
  }

  get invoices() {
    return [...this.#store.invoices.entries()].map(([number, invoice]) => ({ number, ...invoice }))
  }

  async listen() {
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.server.address())
    this.webhookUrl = `http://127.0.0.1:${port}/webhooks`
    return this
  }

  async stop() {
    this.server.close()
    this.server.closeAllConnections()
  }

  /**
   * Pays an invoice. Called again, it pays nothing more.
   *
   * @param {string} number
   * @param {Pick<Invoice, 'customerId' | 'accountId' | 'payeeId' | 'amount'>} order
   */
  async pay(number, order) {
    /** @type {Invoice} */
    const invoice = this.#store.invoices.get(number) ?? { ...order, state: 'new' }
    this.#store.invoices.set(number, invoice)
    if (invoice.state !== 'new') return invoice.state
    const { accountId, payeeId: counterpartyAccountId, amount } = invoice
    try {
      const payment = await this.#purser.payments.create(
        accountId,
        { amount, counterpartyAccountId, originalType: 'ACH', description: `Invoice ${number.slice(-1)}` },
        // The key belongs to the invoice: a second try finds the first payment.
        { idempotencyKey: `invoice-${number}` },
      )
      invoice.paymentId = payment.id
      // A second try is answered as the first one was. Webhooks that came in between named a payment that was not known yet.
      invoice.state = stateAfter(await this.#purser.payments.get(payment.id))
    } catch (error) {
      // Whether the payment was made is not known: the invoice stays new, and the next try finds out.
      const isPassing = isProblem(error) && (error.status >= 429 || error.code === 'idempotency_in_progress')
      if (isConnectionError(error) || isPassing) throw error
      invoice.state = 'refused'
    }
    return invoice.state
  }

  /** Tries again to pay what is not decided. */
  async catchUp() {
    for (const [number, invoice] of this.#store.invoices) if (invoice.state === 'new') await this.pay(number, invoice)
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {string} secret
   */
  async #receive(request, response, secret) {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    try {
      const event = await unwrap(Buffer.concat(chunks), request.headers, secret)
      this.#follow(event)
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(isWebhookError(error) ? 400 : 500).end()
    }
  }

  /**
   * Takes an event. One that comes again, or after a later one of another record, changes nothing.
   *
   * @param {import('purser-client').Event} event
   */
  #follow(event) {
    const { type, data } = event
    if (event.type === 'transaction.created') {
      const { id, attributes, relationships } = event.data
      this.#book({ id, ...attributes }, relationships.account.data.id)
    }
    if (type.startsWith('account.')) {
      const account = /** @type {import('purser-client').DepositAccount} */ (data)
      this.#store.accounts.set(account.id, account.status)
    }
    if (type.startsWith('reward.')) {
      const reward = /** @type {import('purser-client').Reward} */ (data)
      this.#store.rewards.set(reward.id, reward.userAmount)
    }
    if (!type.startsWith('payment.')) return
    const payment = /** @type {import('purser-client').Payment} */ (data)
    for (const invoice of this.#store.invoices.values()) {
      if (invoice.paymentId === payment.id) invoice.state = stateAfter(payment)
    }
  }

  /**
   * @param {{ id: string, amount: number, direction: string, createdAt: string }} transaction
   * @param {string} accountId
   */
  #book({ id, amount, direction, createdAt }, accountId) {
    // The months of statements are those of UTC, as the times of transactions are.
    const month = createdAt.slice(0, 7)
    this.#store.entries.set(id, { accountId, month, cents: direction === 'Credit' ? amount : -amount })
  }
}
