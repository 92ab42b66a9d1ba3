import { idNumber, integerIdNumber } from '../../base/ids.ts'
import type { Caller } from '../../base/operation.ts'
import { sha256 } from '../../base/sha256.ts'
import type { RecordOf, RecordType } from '../../tools/record-types.ts'
import type { Directory, Readers } from '../../tools/tools.ts'
import { findHold } from '../account-control/account-holds.sql.ts'
import { accountHoldOf } from '../account-control/hold-decisions.ts'
import { transaction } from '../accounts/transaction-view.ts'
import { findTransaction } from '../accounts/transactions.sql.ts'
import { sandboxFilesOf } from '../ach/lists/sandbox-files.ts'
import type { RailControl } from '../ach/witness/resume.ts'
import { findAuthorization } from '../cards/authorizations.sql.ts'
import { countPendingReplacements } from '../cards/cards.sql.ts'
import { findApplication } from '../customers/applications.sql.ts'
import { documentOf } from '../customers/applications.ts'
import { activationOf } from '../earning/activation-view.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { findExternalAccount } from '../payments/external-accounts.sql.ts'
import { externalAccount } from '../payments/external-accounts.ts'
import { findProposal } from '../proposals/proposals.sql.ts'
import { findActivation } from '../rewards/activations.sql.ts'
import {
  findRecord,
  partnerUserCards,
  rewardableTransactions,
  rewardPayments,
  taggedUsers,
} from '../rewards/reward-records.sql.ts'
import { attentionOf } from './attention.ts'
import { findFormer, listImports } from './imports.sql.ts'
import {
  findAccountStatusOf,
  findApplicationOf,
  findDestination,
  findKeyRow,
  findMadeId,
  findStop,
} from './lookup.sql.ts'
import { listRelated } from './related.sql.ts'
import { searchStored } from './search-stored.ts'
import { findReview, listFiles, listReasons, listReceivedFiles } from './traces.sql.ts'

type DirectoryParts = Pick<BankParts, 'ach' | 'database' | 'debits' | 'seals' | 'routingNumber'> & {
  control: Pick<RailControl, 'heldBecause'>
}

/** The types whose ids are small numbers, counted for each type. */
const numbered: RecordType[] = ['partnerUser', 'partnerUserCard', 'reward', 'rewardableTransaction', 'rewardPayment']

export function directoryOf(parts: DirectoryParts): Directory {
  const { database } = parts
  return {
    readers: readersOf(parts),
    stateOf: {
      account: (organisationId, id) => findStop(database, organisationId, idNumber(id)),
      accountHold: (organisationId, id) => findHold(database, organisationId, idNumber(id)),
      apiKey: (organisationId, id) => findKeyRow(database, organisationId, idNumber(id)),
      authorization: (organisationId, id) => findAuthorization(database, organisationId, idNumber(id)),
      card: async (organisationId, id) => {
        const accountStatus = await findAccountStatusOf(database, organisationId, idNumber(id))
        if (!accountStatus) return undefined
        return { accountStatus, pendingReplacements: await countPendingReplacements(database, idNumber(id)) }
      },
      document: async (organisationId, id) => {
        const application = await findApplicationOf(database, organisationId, idNumber(id))
        return application && { applicationStatus: application.status }
      },
      payment: (organisationId, id) => findDestination(database, organisationId, idNumber(id)),
      proposal: (organisationId, id) => findProposal(database, organisationId, idNumber(id)),
    },
    related: (type, organisationId, id) => {
      const number = numbered.includes(type) ? integerIdNumber(id) : idNumber(id)
      return listRelated(database, type, organisationId, number)
    },
    search: (organisationId, text, types) => searchStored(parts, organisationId, text, types),
    attention: (organisationId) => attentionOf(parts, organisationId),
    traces: async ({ type, organisationId, id }, requestIds) => ({
      files: await filesOf(database, { type, organisationId, id }),
      review: type === 'payment' ? await findReview(database, organisationId, idNumber(id)) : undefined,
      reasons: await listReasons(database, { organisationId, recordId: idNumber(id), requestIds }),
    }),
    former: async (organisationId, text) => (await findFormer(database, organisationId, text)).map(String),
    imports: (organisationId) => listImports(database, organisationId),
    madeUnder: (organisationId, idempotencyKey) => findMadeId(database, organisationId, sha256(idempotencyKey)),
  }
}

function readersOf(parts: DirectoryParts): Readers {
  const { database, seals, routingNumber } = parts
  const rewardRecord =
    (table: Parameters<typeof findRecord>[1]) =>
    ({ organisationId }: Caller, id: string): Promise<never> =>
      findRecord(database, table, organisationId, integerIdNumber(id)) as Promise<never>
  return {
    accountHold: async ({ organisationId }, id) => {
      const row = await findHold(database, organisationId, idNumber(id))
      return row && accountHoldOf(row)
    },
    achFile: sandboxFilesOf(parts).getAchFile,
    apiKey: ({ organisationId }, id) => readKey(parts, organisationId, idNumber(id)),
    document: ({ organisationId }, id) => readDocument(parts, organisationId, idNumber(id)),
    externalAccount: async ({ organisationId }, id) => {
      const row = await findExternalAccount(database, organisationId, idNumber(id))
      return row && externalAccount(row, await seals.of(organisationId))
    },
    transaction: async ({ organisationId }, id) => {
      const row = await findTransaction(database, organisationId, idNumber(id))
      // The other side of a transfer from or to the world outside is an internal account.
      if (!row || row.accountId < 0) return undefined
      return transaction(row, { routingNumber, seal: await seals.of(organisationId) })
    },
    offerActivation: async ({ organisationId }, id) => {
      const row = await findActivation(database, organisationId, idNumber(id))
      return row && activationOf(row)
    },
    partnerUser: rewardRecord(taggedUsers),
    partnerUserCard: rewardRecord(partnerUserCards),
    rewardableTransaction: rewardRecord(rewardableTransactions),
    rewardPayment: rewardRecord(rewardPayments),
  }
}

/** The files with entries of a payment or a received one. */
async function filesOf(
  database: BankParts['database'],
  { type, organisationId, id }: { type: RecordType; organisationId: number; id: string },
) {
  if (type === 'payment') return listFiles(database, organisationId, idNumber(id))
  return type === 'receivedPayment' ? listReceivedFiles(database, organisationId, idNumber(id)) : []
}

async function readKey(
  { database }: DirectoryParts,
  organisationId: number,
  keyId: number,
): Promise<RecordOf<'apiKey'> | undefined> {
  const row = await findKeyRow(database, organisationId, keyId)
  if (!row) return undefined
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt } = row
  return { id: String(id), name, scopes, createdAt, expiresAt, lastUsedAt } as RecordOf<'apiKey'>
}

async function readDocument(
  { database }: DirectoryParts,
  organisationId: number,
  documentId: number,
): Promise<RecordOf<'document'> | undefined> {
  const named = await findApplicationOf(database, organisationId, documentId)
  const application = named && (await findApplication(database, organisationId, named.id))
  const row = application?.documents.find(({ id }) => id === documentId)
  return row && documentOf(row)
}
