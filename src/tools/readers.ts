import { allows } from '../access/api-key.ts'
import type { Accounting } from '../accounting/accounting.ts'
import type { BankingProvider } from '../banking/provider.ts'
import type { Statement } from '../banking/statements/statement.ts'
import { type Caller, JsonText, lacksScope, type Scope } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import type { Events } from '../events/events.ts'
import type { Proposals } from '../review/proposals/proposal.ts'
import type { RewardRecords } from '../rewards/records/records.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { type RecordOf, type RecordType, recordTypes } from './record-types.ts'
import type { Asker, Directory, Readers } from './tools.ts'

export interface LookUpParts {
  bank: BankingProvider
  records: Pick<RewardRecords, 'getReward' | 'getCampaign' | 'getCampaignOffer'>
  /** With the log of requests, if the service keeps one. */
  events: Events
  /** Absent with a connector, whose provider has the ledger. */
  accounting: Accounting | undefined
  webhooks: Pick<Webhooks, 'getWebhookEndpoint' | 'getDelivery' | 'deliveriesOf'>
  directory: Directory
  /** Absent with a connector. */
  proposals: Pick<Proposals, 'getProposal' | 'waiting'> | undefined
  /** Whether a connector serves the banking area: its records are not in the database. */
  connected: boolean
}

export interface LookUp extends LookUpParts {
  readers: Readers
}

/** Among the types that have an id, those that this service or the caller cannot read are left out. */
export function absentWhereNotServed(error: unknown): undefined {
  if (error instanceof Problem && ['not_supported_by_provider', 'forbidden'].includes(error.code)) return undefined
  throw error
}

export function mayRead({ holder }: Pick<Asker, 'holder'>, type: RecordType): boolean {
  const { scope, orScope }: { scope: Scope; orScope?: Scope } = recordTypes[type]
  return allows(holder, scope) || (orScope !== undefined && allows(holder, orScope))
}

export function requireReadable(asker: Pick<Asker, 'holder'>, type: RecordType): void {
  if (!mayRead(asker, type)) throw lacksScope(recordTypes[type].scope)
}

/** Reads a record; undefined if there is none. A type that this service cannot read is refused. */
export async function readRecord<T extends RecordType>(
  { readers }: LookUp,
  { holder }: Asker,
  type: T,
  id: string,
): Promise<RecordOf<T> | undefined> {
  const read = readers[type] as ((caller: Caller, id: string) => Promise<RecordOf<T> | undefined>) | undefined
  if (!read) throw new Problem('not_supported_by_provider')
  return read(holder, id).catch(absentWhereNotFound)
}

function absentWhereNotFound(error: unknown): undefined {
  if (error instanceof Problem && error.status === 404) return undefined
  throw error
}

/** The readers of every type that this service has: by the operations of the ports, otherwise by the directory. */
export function readersOf({ bank, records, events, webhooks, directory, proposals, connected }: LookUpParts): Readers {
  const { transaction, externalAccount, document, accountHold, achFile, offerActivation, ...own } = directory.readers
  const { getAchBatch, getReceivedPayment, getApplication, getAuthorization, getCard, getCustomer, getStatement } = bank
  return {
    ...own,
    ...(connected ? {} : { transaction, externalAccount, document, accountHold, achFile, offerActivation }),
    account: async (caller, id) => {
      const account = await bank.getAccount(caller, id)
      return account instanceof JsonText ? JSON.parse(account.text) : account
    },
    payment: bank.getPayment,
    ...(bank.getRecurringPayment && { recurringPayment: bank.getRecurringPayment }),
    ...(getAchBatch && { achBatch: getAchBatch }),
    ...(getReceivedPayment && { receivedPayment: getReceivedPayment }),
    ...(getApplication && { application: getApplication }),
    ...(getAuthorization && { authorization: getAuthorization }),
    ...(getCard && { card: getCard }),
    ...(getCustomer && { customer: getCustomer }),
    ...(getStatement && {
      statement: async (caller: Caller, statementId: string) =>
        (await getStatement(caller, { statementId, format: undefined })) as Statement,
    }),
    reward: records.getReward,
    ...(records.getCampaign && { campaign: records.getCampaign }),
    ...(records.getCampaignOffer && { campaignOffer: records.getCampaignOffer }),
    event: events.getEvent,
    ...(events.getRequest && { request: events.getRequest }),
    webhookEndpoint: webhooks.getWebhookEndpoint,
    // The caller of a look-up is the holder of a key, whose scopes decide about the body of a delivery and about a proposal.
    delivery: webhooks.getDelivery as Readers['delivery'],
    ...(proposals && { proposal: proposals.getProposal as Readers['proposal'] }),
  } as Readers
}
