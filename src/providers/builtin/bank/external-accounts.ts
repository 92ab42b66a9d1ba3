import { bankName } from '../../../banking/external-accounts/bank-names.ts'
import { type ExternalAccount, hasRoutingChecksum } from '../../../banking/external-accounts/external-account.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber } from '../../../base/ids.ts'
import { pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { emit } from '../../../events/event.ts'
import type { BankParts } from '../bank-parts.ts'
import { findCustomer } from './customers.sql.ts'
import {
  deleteExternalAccountRow,
  type ExternalAccountRow,
  insertExternalAccount,
  listExternalAccountRows,
} from './external-accounts.sql.ts'

type ExternalAccounts = Required<
  Pick<BankingProvider, 'createExternalAccount' | 'listExternalAccounts' | 'deleteExternalAccount'>
>

export function externalAccountsOf({ database, ids, runOnce, mode }: BankParts): ExternalAccounts {
  return {
    async createExternalAccount(write, { customerId, name, routingNumber, accountNumber, accountType, type }) {
      const id = await ids.next()
      return runOnce.transaction(write, async (transaction, events) => {
        const row = await insertExternalAccount(transaction, {
          id,
          organisationId: write.caller.organisationId,
          customerId: idNumber(customerId),
          name,
          routingNumber,
          accountNumber,
          accountType,
          type,
          bank: bankName(routingNumber),
        })
        if (!row) throw new Problem('customer_not_found')
        // Hosted sandboxes take any nine digits, and tests are written with them.
        if (mode === 'live' && !hasRoutingChecksum(routingNumber)) throw new Problem('invalid_routing_number')
        return emit(events, 'externalAccount.created', row.version, externalAccount(row))
      })
    },

    async listExternalAccounts({ organisationId }, { customerId, routingNumber, accountNumber, ...query }) {
      const customer = await findCustomer(database, organisationId, idNumber(customerId))
      if (!customer) throw new Problem('customer_not_found')
      const page = pageWindow(query)
      const rows = await listExternalAccountRows(
        database,
        {
          organisationId,
          customerId: customer.id,
          routingNumber: routingNumber ?? null,
          accountNumber: accountNumber ?? null,
        },
        { ...page, descending: query.sort === '-createdAt' },
      )
      return toPage(rows, page.limit, externalAccount)
    },

    deleteExternalAccount(write, externalAccountId) {
      return runOnce.transaction(write, async (transaction, events) => {
        const { organisationId } = write.caller
        const deleted = await deleteExternalAccountRow(transaction, organisationId, idNumber(externalAccountId))
        if (!deleted) throw new Problem('external_account_not_found')
        emit(events, 'externalAccount.deleted', deleted.version, externalAccount(deleted))
        return null
      })
    },
  }
}

function externalAccount(row: ExternalAccountRow): ExternalAccount {
  return {
    id: String(row.id),
    createdAt: row.createdAt,
    name: row.name,
    routingNumber: row.routingNumber,
    bank: row.bank,
    accountNumber: row.accountNumber,
    accountType: row.accountType,
    type: row.type,
    permissions: 'CreditOnly',
    customerId: String(row.customerId),
  }
}
