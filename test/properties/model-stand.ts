import type { TestBank } from '../support/harness.ts'
import { accountOf, transactionsOf } from '../support/ledger.ts'
import { availableOf, balanceOf, holdOf, type Model } from './model.ts'

type Shown = Record<'id' | 'status', string>

type Listed = Shown & { customerId?: string; documents?: Shown[] }

/** The visible state of the bank or of the model. */
export interface Stand {
  accounts: (Shown & { lines: number[] })[]
  cards: Shown[]
  authorizations: Shown[]
  payments: Shown[]
  applications: (Shown & { documents: Shown[]; customer: string | undefined })[]
  /** The applications that reviewers see. */
  queue: string[]
  /** The number of customers. */
  customers: number
}

const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id)
const shown = ({ id, status }: Shown): Shown => ({ id, status })

export async function standOf(bank: TestBank, model: Model, authorizationIds: Iterable<string>): Promise<Stand> {
  const read = async (path: string) => (await bank.call('GET', `/v0/${path}`)).json.data
  const accounts = model.accounts.map(async ({ id }) => {
    const { status, balance, hold, available } = await accountOf(bank, id)
    const lines = (await transactionsOf(bank, id)).map(({ amount, direction }) =>
      direction === 'Credit' ? amount : -amount,
    )
    return { id, status, balance, hold, available, lines }
  })
  const authorizations = [...authorizationIds].map(async (asked) => {
    const { id, status, reason } = await read(`banking/authorizations/${asked}`)
    return { id, status, reason }
  })
  const lists = [
    'banking/cards',
    'banking/payments',
    'banking/customers',
    'banking/applications',
    'review/applications',
  ]
  const [cards = [], payments = [], customers = [], listed = [], queue = []] = await Promise.all(
    lists.map((path): Promise<Listed[]> => read(`${path}?limit=1000`)),
  )
  const applications = listed.map(async ({ id, status, customerId }) => {
    // The queue shows the documents of all that are not decided.
    const { documents = [] } = queue.find((waiting) => waiting.id === id) ?? (await read(`banking/applications/${id}`))
    const known = model.applications.find((application) => application.id === id)?.customer
    return { id, status, documents: documents.map(shown), customer: customerId === known ? known : 'new' }
  })
  return {
    accounts: await Promise.all(accounts),
    cards: cards.map(shown).sort(byId),
    authorizations: (await Promise.all(authorizations)).sort(byId),
    payments: payments.map(shown).sort(byId),
    applications: (await Promise.all(applications)).sort(byId),
    queue: queue.sort(byId).map(({ id }) => id),
    customers: customers.length,
  }
}

export function standIn(model: Model): Stand {
  const accounts = model.accounts.map((account) => {
    const { id, status, lines } = account
    const [balance, hold, available] = [balanceOf(account), holdOf(model, account), availableOf(model, account)]
    return { id, status, balance, hold, available, lines }
  })
  const applications = model.applications.map(({ id, status, documents, customer = 'new' }) => ({
    id,
    status,
    documents,
    customer: status === 'Approved' ? customer : undefined,
  }))
  const isNew = ({ status, customer }: Model['applications'][number]) => status === 'Approved' && customer === undefined
  const isQueued = ({ status }: Shown) => status === 'PendingReview' || status === 'AwaitingDocuments'
  return {
    accounts,
    cards: model.cards.map(shown).sort(byId),
    authorizations: model.authorizations.map(({ id, status, reason }) => ({ id, status, reason })).sort(byId),
    payments: model.payments
      .filter(({ isBook }) => !isBook)
      .map(shown)
      .sort(byId),
    applications: applications.sort(byId),
    queue: applications.filter(isQueued).map(({ id }) => id),
    customers: model.customers.length + model.applications.filter(isNew).length,
  }
}

/** Notes the customers of applications that were approved. Their accounts can be opened from now on. */
export async function noteCustomers(bank: TestBank, model: Model): Promise<void> {
  for (const application of model.applications) {
    if (application.status !== 'Approved' || application.customer !== undefined) continue
    const { json } = await bank.call('GET', `/v0/banking/applications/${application.id}`)
    application.customer = json.data.customerId
    model.customers.push(json.data.customerId)
  }
}
