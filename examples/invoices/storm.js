import * as invoices from './app.js'

/** The data of each life, which the app keeps between its starts. */
const stores = new Map()

/**
 * The app, how it is driven, and the laws that must hold whatever happens.
 *
 * @param {typeof invoices} app
 */
export const subjectOf = ({ InvoiceApp, Store }) => ({
  /** @param {import('purser/testing').StormBank} bank */
  async start(bank) {
    const isFirst = !stores.has(bank.life)
    if (isFirst) stores.set(bank.life, new Store())
    const app = await new InvoiceApp(bank, stores.get(bank.life)).listen()
    return isFirst ? app.load() : app
  },
  actions: {
    /** @type {(app: invoices.InvoiceApp, input: import('purser/testing').ActionInput) => Promise<unknown>} */
    'pay invoice': (app, { customer, number, amount }) =>
      app.pay(`${customer.customerId}-${number}`, {
        customerId: customer.customerId,
        accountId: customer.accountId,
        payeeId: customer.externalAccountIds[number] ?? '',
        amount,
      }),
  },
  /** @param {invoices.InvoiceApp} app */
  calm: (app) => app.catchUp(),
  laws: {
    /** @type {import('purser/testing').Law<invoices.InvoiceApp>} */
    'an invoice is paid exactly when its payment was sent and not returned': async ({ app, purser }) => {
      for (const { number, state, paymentId } of app.invoices) {
        const status = paymentId && (await purser.payments.get(paymentId)).status
        if ((state === 'paid') !== (status === 'Sent'))
          return `the app shows invoice ${number} as ${state}, and its payment is ${status ?? 'not known'}`
      }
      return true
    },
    /** @type {import('purser/testing').Law<invoices.InvoiceApp>} */
    'an invoice is paid once': async ({ app, purser }) => {
      for await (const { id, description } of purser.payments.list()) {
        if (!app.invoices.some(({ paymentId }) => paymentId === id))
          return `payment ${id} (“${description}”) was made, and the app does not know it`
      }
      return true
    },
    /** @type {import('purser/testing').Law<invoices.InvoiceApp>} */
    'the app shows the balance and the state of each account as the bank has them': async ({ app, purser }) => {
      for await (const { id, balance, status } of purser.accounts.list()) {
        if (app.balance(id) !== balance)
          return `account ${id} has ${balance} cents, and the app shows ${app.balance(id)}`
        if (app.isOpen(id) !== (status === 'Open')) return `account ${id} is ${status}, and the app shows another state`
      }
      return true
    },
    /** @type {import('purser/testing').Law<invoices.InvoiceApp>} */
    'the app shows each month as the bank books it': async ({ app, purser }) => {
      for await (const { id: accountId } of purser.accounts.list()) {
        /** @type {Record<string, number>} */
        const months = {}
        for await (const { amount, direction, createdAt } of purser.transactions.list({ accountId })) {
          const month = createdAt.slice(0, 7)
          months[month] = (months[month] ?? 0) + (direction === 'Credit' ? amount : -amount)
        }
        for (const [month, cents] of Object.entries(months)) {
          const shown = app.balance(accountId, month)
          if (shown !== cents) return `account ${accountId} has ${cents} cents in ${month}, and the app shows ${shown}`
        }
      }
      return true
    },
    /** @type {import('purser/testing').Law<invoices.InvoiceApp>} */
    'the app shows the cash back that the bank pays': async ({ app, purser }) => {
      let cents = 0
      for await (const { userAmount } of purser.rewards.list()) cents += userAmount
      return app.cashBack === cents || `the cash back is ${cents} cents, and the app shows ${app.cashBack}`
    },
  },
})

export const subject = subjectOf(invoices)
