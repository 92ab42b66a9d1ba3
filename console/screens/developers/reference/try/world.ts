import { useQuery } from '@tanstack/react-query'
import type { CallInput, OperationId, Purser } from '../../../../../client/src/index.ts'
import { money, words } from '../../../../data/format.ts'
import { useSession } from '../../../../data/purser.tsx'

/** A record to choose by its id. */
interface Choice {
  id: string
  label: string
  /** The state of the record, if it has one. */
  state: unknown
}

/** The newest records of this organisation by their type, the best one for a first call at the beginning. */
export type World = Record<string, Choice[]>

type Row = Record<string, unknown>

interface Source {
  operation: OperationId
  /** The input of the list, from the first records of the types in `needs`. */
  input(first: Record<string, Row>): object
  needs?: readonly string[]
  /** The records of the answer, if it is no list. */
  rows?(answer: unknown): Row[]
  label(row: Row): string
  /** Records that most operations accept come before the others. */
  prefers?(row: Row): boolean
}

const MOST = 10
const newest = () => ({ query: { limit: MOST } })
/** Lists of rewards are in the order of their ids. */
const newestByClause = () => ({ query: { columnNames: 'id', orderByClause: '$C1 DESC', limit: MOST } })
const newestSequence = () => ({ query: { sort: '-sequence', limit: MOST } })
const named = ({ name, status }: Row) => [name, status && words(String(status))].filter(Boolean).join(', ')
const ofMoney = (text: unknown, amount: unknown) => `${text}, ${money(Number(amount))}`

const sources: Record<string, Source> = {
  account: {
    operation: 'listAccounts',
    input: newest,
    label: ({ name, accountNumber, balance, status }) =>
      `${ofMoney(`${name} …${String(accountNumber).slice(-4)}`, balance)}${status === 'Open' ? '' : `, ${words(String(status))}`}`,
    prefers: ({ status, balance }) => status === 'Open' && Number(balance) > 0,
  },
  customer: {
    operation: 'listCustomers',
    needs: ['account'],
    input: newest,
    label: named,
  },
  externalAccount: {
    operation: 'listExternalAccounts',
    needs: ['account'],
    input: ({ account }) => ({
      params: { customerId: account?.customerId },
      query: { sort: '-createdAt', limit: MOST },
    }),
    label: ({ name, accountNumber }) => `${name} …${String(accountNumber).slice(-4)}`,
  },
  transaction: {
    operation: 'listTransactions',
    needs: ['account'],
    input: ({ account }) => ({ query: { accountId: account?.id, limit: MOST } }),
    label: ({ summary, amount }) => ofMoney(summary, amount),
  },
  payment: {
    operation: 'listPayments',
    input: newest,
    label: ({ description, amount, status }) => `${ofMoney(description, amount)}, ${words(String(status))}`,
    prefers: ({ status }) => status === 'Sent',
  },
  recurringPayment: {
    operation: 'listRecurringPayments',
    input: newest,
    label: ({ description, amount, status }) => `${ofMoney(description, amount)}, ${words(String(status))}`,
    prefers: ({ status }) => status === 'Active',
  },
  receivedPayment: {
    operation: 'listReceivedPayments',
    input: newest,
    label: ({ description, amount, status }) => `${ofMoney(description, amount)}, ${words(String(status))}`,
  },
  achBatch: {
    operation: 'listAchBatches',
    input: newest,
    label: ({ description, amount, status }) => `${ofMoney(description, amount)}, ${words(String(status))}`,
  },
  achFile: { operation: 'listAchFiles', input: newest, label: named },
  card: {
    operation: 'listCards',
    input: newest,
    label: ({ last4Digits, status }) => `…${last4Digits}, ${words(String(status))}`,
    prefers: ({ status }) => status === 'Active',
  },
  authorization: {
    operation: 'listAuthorizations',
    needs: ['account'],
    input: ({ account }) => ({ query: { customerId: account?.customerId, status: 'Authorized', limit: MOST } }),
    label: ({ description, amount }) => ofMoney(description, amount),
  },
  accountHold: {
    operation: 'listAccountHolds',
    needs: ['account'],
    input: ({ account }) => ({ params: { accountId: account?.id }, query: { limit: MOST } }),
    label: ({ description, reason, amount }) => ofMoney(description ?? words(String(reason)), amount),
    prefers: ({ status }) => status === 'Active',
  },
  statement: {
    operation: 'listStatements',
    needs: ['account'],
    input: ({ account }) => ({ query: { accountId: account?.id, limit: MOST } }),
    label: ({ period }) => String(period),
  },
  application: { operation: 'listApplications', input: newest, label: named },
  document: {
    operation: 'getApplication',
    needs: ['application'],
    input: ({ application }) => ({ params: { applicationId: application?.id } }),
    rows: (answer) => (answer as { documents: Row[] }).documents,
    label: ({ documentType, type, status }) => `${words(String(documentType ?? type))}, ${words(String(status))}`,
  },
  event: { operation: 'listEvents', input: newestSequence, label: ({ type }) => String(type) },
  request: {
    operation: 'listRequests',
    input: newestSequence,
    label: ({ operation, status }) => `${operation}, ${status}`,
  },
  webhookEndpoint: { operation: 'listWebhookEndpoints', input: newest, label: ({ url }) => String(url) },
  delivery: {
    operation: 'listAllDeliveries',
    input: newest,
    label: ({ eventType, status }) => `${eventType}, ${words(String(status))}`,
  },
  // The key of this call comes last: an operation may end it.
  apiKey: { operation: 'listApiKeys', input: newest, label: ({ name }) => String(name) },
  faultRule: { operation: 'listFaultRules', input: newest, label: ({ createdAt }) => String(createdAt) },
  partnerUser: { operation: 'listPartnerUsers', input: newestByClause, label: ({ userId }) => `User ${userId}` },
  partnerUserCard: {
    operation: 'listPartnerUserCards',
    input: newestByClause,
    label: ({ bankCardId }) => `Card ${bankCardId}`,
  },
  campaign: { operation: 'listCampaigns', input: newest, label: ({ name }) => String(name) },
  campaignOffer: { operation: 'listCampaignOffers', input: newest, label: ({ title }) => String(title) },
  offerActivation: {
    operation: 'listActivations',
    input: newest,
    label: ({ offerId, partnerUserId }) => `Offer ${offerId}, user ${partnerUserId}`,
  },
  reward: {
    operation: 'listRewards',
    input: newestByClause,
    label: ({ merchantName, userAmount }) => ofMoney(merchantName, userAmount),
  },
}

/** Types that are shown by the records of another one. */
const sameAs: Record<string, string> = { purchase: 'transaction', record: 'account' }

/** The newest records of the given types; undefined while they are read. */
export function useWorld(types: readonly string[]): World | undefined {
  const { purser, me } = useSession()
  const { data } = useQuery({
    queryKey: ['world', types],
    queryFn: () => readWorld(purser, me.operations, me.key.id, types),
  })
  return data
}

async function readWorld(
  purser: Purser,
  allowed: readonly string[],
  ownKey: string,
  types: readonly string[],
): Promise<World> {
  const rows = new Map<string, Promise<Row[]>>()
  const read = (type: string): Promise<Row[]> => {
    const reading = rows.get(type) ?? readRows(type)
    rows.set(type, reading)
    return reading
  }
  const readRows = async (type: string): Promise<Row[]> => {
    const source = sources[type]
    if (!source || !allowed.includes(source.operation)) return []
    const firsts = await Promise.all((source.needs ?? []).map(async (each) => [each, (await read(each))[0]] as const))
    if (firsts.some(([, first]) => first === undefined)) return []
    return rowsOf(purser, source, Object.fromEntries(firsts) as Record<string, Row>)
  }
  const entries = types.map(async (type) => {
    const name = sameAs[type] ?? type
    const found = (await read(name)).toSorted((one, other) => Number(one.id === ownKey) - Number(other.id === ownKey))
    const choices = found.map((row) => ({
      id: String(row.id),
      label: sources[name]?.label(row) ?? '',
      state: row.status,
    }))
    return [type, choices] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** A list that cannot be read offers no records: the form takes any id. */
async function rowsOf(purser: Purser, source: Source, first: Record<string, Row>): Promise<Row[]> {
  const { operation, input, rows, prefers, needs } = source
  try {
    const answer = await purser.call(operation, input(first) as CallInput<OperationId>)
    const found = rows ? rows(answer) : (answer as unknown as Row[])
    const owner = needs && operation === 'listCustomers' ? first.account?.customerId : undefined
    const rank = (row: Row) => (row.id === owner || prefers?.(row) ? 0 : 1)
    return found.toSorted((one, other) => rank(one) - rank(other))
  } catch {
    return []
  }
}
