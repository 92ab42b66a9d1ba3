import { allows } from '../access/api-key.ts'
import type { Accounting } from '../accounting/accounting.ts'
import type { BankingProvider } from '../banking/provider.ts'
import type { Statement } from '../banking/statements/statement.ts'
import { type Caller, JsonText } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import type { Events } from '../events/events.ts'
import type { RewardRecords } from '../rewards/records/records.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { type RecordOf, type RecordType, recordTypes } from './record-types.ts'
import type { Asker, Directory, Readers } from './tools.ts'

export interface LookUpParts {
  bank: BankingProvider
  records: Pick<RewardRecords, 'getReward'>
  /** With the log of requests, if the service keeps one. */
  events: Events
  /** Absent with a connector, whose provider has the ledger. */
  accounting: Accounting | undefined
  webhooks: Pick<Webhooks, 'getWebhookEndpoint' | 'getDelivery' | 'deliveriesOf'>
  directory: Directory
  /** Whether a connector serves the banking area: its records are not in the database. */
  connected: boolean
}

export interface LookUp extends LookUpParts {
  readers: Readers
}

export function absentWhereNotServed(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'not_supported_by_provider') return undefined
  throw error
}

export function mayRead({ holder }: Asker, type: RecordType): boolean {
  return allows(holder, recordTypes[type].scope)
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
export function readersOf({ bank, records, events, webhooks, directory, connected }: LookUpParts): Readers {
  const { transaction, externalAccount, document, accountHold, ...own } = directory.readers
  const { getApplication, getAuthorization, getCard, getCustomer, getStatement } = bank
  return {
    ...own,
    ...(connected ? {} : { transaction, externalAccount, document, accountHold }),
    account: async (caller, id) => {
      const account = await bank.getAccount(caller, id)
      return account instanceof JsonText ? JSON.parse(account.text) : account
    },
    payment: bank.getPayment,
    ...(bank.getRecurringPayment && { recurringPayment: bank.getRecurringPayment }),
    ...(getApplication && { application: getApplication }),
    ...(getAuthorization && { authorization: getAuthorization }),
    ...(getCard && { card: getCard }),
    ...(getCustomer && { customer: getCustomer }),
    ...(getStatement && {
      statement: async (caller: Caller, statementId: string) =>
        (await getStatement(caller, { statementId, format: undefined })) as Statement,
    }),
    reward: records.getReward,
    event: events.getEvent,
    ...(events.getRequest && { request: events.getRequest }),
    webhookEndpoint: webhooks.getWebhookEndpoint,
    // The caller of a look-up is the holder of a key, whose scopes decide about the body.
    delivery: webhooks.getDelivery as Readers['delivery'],
  } as Readers
}
