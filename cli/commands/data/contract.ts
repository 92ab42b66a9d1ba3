import { isProblem, type List, type Purser, type ResponseInfo } from '../../../client/src/index.ts'
import { Refusal } from '../../../ground/failure.ts'
import type { Call, Command } from '../../command.ts'

export const contract: Command = {
  path: 'contract',
  summary: 'Compares the answers of a real provider with what its connector expects',
  description: `Calls a running service that uses the connector with your own credentials of the provider's sandbox. For each operation it prints whether the provider's records can be read and shown as the interface describes them: agrees; differs, with the record and the member; refused, with the provider's reason; or empty, if the provider has no such record. It reads lists, and one record of each by its id; with --write it also creates an external account and deletes it again. Exits with 1 if something differs or is refused.

The connectors are tested against fakes only. This command is the proof for your account at the provider.`,
  group: 'Operate',
  arguments: [{ name: 'provider', description: 'unit or kard', choices: ['unit', 'kard'] }],
  options: [
    { flags: '--write', description: 'Also create an external account, and delete it again (unit)' },
    { flags: '--user <id>', description: 'A user of the rewards program, for whom offers are listed (kard)' },
    { flags: '--zip-code <zip>', description: 'The place of local offers (kard; default: 10001)' },
  ],
  examples: [
    { run: 'purser contract unit --dry-run', does: 'Lists the operations that would be called' },
    { run: 'purser contract kard --dry-run', does: 'Lists those of offers' },
  ],
  run,
}

/** An operation and its outcome. */
interface Finding {
  operation: string
  /** `empty` if the provider has no record to compare. */
  outcome: 'agrees' | 'differs' | 'empty' | 'refused'
  records: number
  detail: string
}

type Step = (found: Found) => Promise<Omit<Finding, 'operation'>>

/** The client, and the ids of records that were found on the way. */
interface Found {
  purser: Purser
  call: Call
  ids: Map<string, string>
}

type Item = { id: string | number }

/** The records of a page agree if none was left out. The first is kept for the operations after it. */
const listed =
  (kind: string, list: (found: Found) => List<Item>): Step =>
  async (found) => {
    const { data, response } = await list(found).page()
    const [first] = data
    if (first) found.ids.set(kind, String(first.id))
    return compared(data, response)
  }

/** Reads the record that a list has found, by its id. */
const one =
  (kind: string, read: (found: Found, id: string) => Promise<unknown>): Step =>
  async (found) => {
    const id = found.ids.get(kind)
    if (id === undefined) return { outcome: 'empty', records: 0, detail: '' }
    await read(found, id)
    return agrees(1)
  }

function agrees(records: number): Omit<Finding, 'operation'> {
  return { outcome: 'agrees', records, detail: '' }
}

/** Records that were left out could not be read. The service names the first of them, and its log all. */
function compared({ length: records }: Item[], { headers }: ResponseInfo): Omit<Finding, 'operation'> {
  const omitted = Number(headers.get('omitted-records') ?? 0)
  if (omitted === 0) return records === 0 ? { outcome: 'empty', records, detail: '' } : agrees(records)
  const further = omitted > 1 ? ` (and ${omitted - 1} more, which the log of the service names)` : ''
  return { outcome: 'differs', records, detail: `${headers.get('omitted-reason')}${further}` }
}

const idIn = ({ ids }: Found, kind: string) => ids.get(kind) ?? '0'

const ofUnit: Record<string, Step> = {
  listCustomers: listed('customer', ({ purser }) => purser.customers.list()),
  getCustomer: one('customer', ({ purser }, id) => purser.customers.get(id)),
  listAccounts: listed('account', ({ purser }) => purser.accounts.list()),
  getAccount: one('account', ({ purser }, id) => purser.accounts.get(id)),
  listCards: listed('card', ({ purser }) => purser.cards.list()),
  getCard: one('card', ({ purser }, id) => purser.cards.get(id)),
  listExternalAccounts: listed('externalAccount', (found) =>
    found.purser.externalAccounts.list(idIn(found, 'customer')),
  ),
  listPayments: listed('payment', ({ purser }) => purser.payments.list()),
  getPayment: one('payment', ({ purser }, id) => purser.payments.get(id)),
  listTransactions: listed('transaction', (found) =>
    found.purser.transactions.list({ accountId: idIn(found, 'account') }),
  ),
  getTransaction: one('transaction', (found, id) =>
    found.purser.transactions.get(id, { accountId: idIn(found, 'account') }),
  ),
  listAuthorizations: listed('authorization', (found) =>
    found.purser.authorizations.list({ customerId: idIn(found, 'customer'), status: 'Authorized' }),
  ),
  listStatements: listed('statement', (found) => found.purser.statements.list({ accountId: idIn(found, 'account') })),
  listApplications: listed('application', ({ purser }) => purser.applications.list()),
  getApplication: one('application', ({ purser }, id) => purser.applications.get(id)),
}

/** Leaves nothing behind but a deleted record. */
const writesOfUnit: Record<string, Step> = {
  createExternalAccount: one('customer', async (found, id) => {
    const made = await found.purser.externalAccounts.create(id, {
      type: 'Person',
      name: 'Contract Sample',
      routingNumber: '812345678',
      accountNumber: '1000000001',
      accountType: 'Checking',
    })
    found.ids.set('created', made.id)
  }),
  deleteExternalAccount: one('created', ({ purser }, id) => purser.externalAccounts.delete(id)),
}

const ofKard: Record<string, Step> = {
  listNationalOffers: async ({ purser, call }) => {
    const { data, response } = await purser.offers.listNational({ userId: userOf(call), page: 0 }).withResponse()
    return compared(data.nationalRewardOffers, response)
  },
  listLocalOffers: async ({ purser, call }) => {
    const zipCode = String(call.options.zipCode ?? '10001')
    const { data, response } = await purser.offers.listLocal({ userId: userOf(call), page: 0, zipCode }).withResponse()
    return compared(data.localRewardOffers, response)
  },
}

function userOf({ options }: Call): string {
  return String(options.user ?? '1')
}

async function run(call: Call): Promise<number> {
  const { args, options, out, dryRun } = call
  const [provider] = args
  const steps = provider === 'kard' ? ofKard : { ...ofUnit, ...(options.write ? writesOfUnit : {}) }
  if (dryRun) {
    for (const operation of Object.keys(steps)) out.record({ operation })
    return 0
  }
  const purser = call.purser()
  const { providers } = await purser.me.get()
  const used = provider === 'kard' ? providers.rewards : providers.banking
  if (used !== provider)
    throw new Refusal(`the service uses ${used}, not ${provider}: docs/connectors.md says how to set it`)
  const found: Found = { purser, call, ids: new Map() }
  const findings: Finding[] = []
  for (const [operation, step] of Object.entries(steps)) findings.push({ operation, ...(await outcomeOf(step, found)) })
  await out.records(findings, ['operation', 'outcome', 'records', 'detail'])
  const wrong = findings.filter(({ outcome }) => outcome === 'differs' || outcome === 'refused').length
  const empty = findings.filter(({ outcome }) => outcome === 'empty').length
  out.note(`${findings.length - wrong - empty} operations agree, ${wrong} differ or are refused.`)
  if (empty > 0) out.note(`${empty} had no record to compare: make some at the provider, and run it again.`)
  return wrong > 0 ? 1 : 0
}

/** An answer that the connector cannot read is 502; every other refusal is the provider's. */
async function outcomeOf(step: Step, found: Found): Promise<Omit<Finding, 'operation'>> {
  try {
    return await step(found)
  } catch (error) {
    if (!isProblem(error)) throw error
    const outcome = error.code === 'upstream_error' ? 'differs' : 'refused'
    return { outcome, records: 0, detail: `${error.code}: ${error.detail}` }
  }
}
