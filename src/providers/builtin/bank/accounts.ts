import { type AccountMove, type DepositAccount, moveAccount } from '../../../banking/accounts/account.ts'
import type { CreateAccountInput } from '../../../banking/accounts/create-account.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { toCents } from '../../../base/cents.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import { type Answer, JsonText, type Write } from '../../../base/operation.ts'
import { pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { coalesce } from '../../../database/coalesce.ts'
import { type EventType, emit } from '../../../events/event.ts'
import type { BankParts } from '../bank-parts.ts'
import {
  type AccountJson,
  findAccountJson,
  insertAccount,
  listAccountRows,
  lockAccount,
  type ShownAccount,
  updateAccountStatus,
} from './accounts.sql.ts'
import { closeCardsOf } from './cards.sql.ts'
import { cardOf } from './cards.ts'

type Accounts = Required<
  Pick<
    BankingProvider,
    | 'createAccount'
    | 'getAccount'
    | 'listAccounts'
    | 'closeAccount'
    | 'reopenAccount'
    | 'freezeAccount'
    | 'unfreezeAccount'
  >
>

const eventOf: Record<AccountMove, EventType> = {
  close: 'account.closed',
  reopen: 'account.reopened',
  freeze: 'account.frozen',
  unfreeze: 'account.unfrozen',
}

export function accountsOf({ database, ids, runOnce, routingNumber }: BankParts): Accounts {
  const findAccount = coalesce(
    (row: AccountJson) => row.id,
    (wanted: number[]) => findAccountJson(database, wanted, routingNumber),
  )

  function depositAccount(row: ShownAccount): DepositAccount {
    return {
      id: String(row.id),
      type: 'depositAccount',
      customerId: String(row.customerId),
      createdAt: row.createdAt,
      name: row.name,
      depositProduct: 'checking',
      routingNumber,
      accountNumber: row.accountNumber,
      currency: 'USD',
      available: toCents(row.balance - row.hold),
      balance: toCents(row.balance),
      hold: toCents(row.hold),
      status: row.status,
      tags: row.tags,
    }
  }

  function move(
    write: Write<DepositAccount>,
    accountId: string,
    name: AccountMove,
    closeReason: string | null = null,
  ): Promise<Answer> {
    return runOnce.transaction(write, async (transaction, events) => {
      const row = await lockAccount(transaction, write.caller.organisationId, idNumber(accountId))
      if (!row) throw new Problem('account_not_found')
      const moved = moveAccount(row.status, name)
      if ('refused' in moved) throw new Problem(moved.refused)
      const changed = await updateAccountStatus(transaction, row.id, moved.status, closeReason)
      const shown = emit(events, eventOf[name], changed.version, depositAccount(changed))
      const ended = name === 'close' ? await closeCardsOf(transaction, row.id) : []
      for (const card of ended) emit(events, 'card.statusChanged', card.version, cardOf(card))
      return shown
    })
  }

  return {
    async createAccount(write, { customerId, tags = {} }: CreateAccountInput) {
      const id = await ids.next()
      return runOnce.transaction(write, async (transaction, events) => {
        const { organisationId } = write.caller
        const row = await insertAccount(transaction, { id, organisationId, customerId: idNumber(customerId), tags })
        if (!row) throw new Problem('customer_not_found')
        return emit(events, 'account.created', row.version, depositAccount(row))
      })
    },

    async getAccount({ organisationId }, accountId) {
      const row = await findAccount(idNumber(accountId))
      if (row?.organisationId !== organisationId) throw new Problem('account_not_found')
      return new JsonText(`${row.json}${row.tags ? JSON.stringify(row.tags) : '{}'}}`)
    },

    async listAccounts({ organisationId }, { customerId, status, ...query }) {
      const page = pageWindow(query)
      const filter = {
        organisationId,
        customerId: optionalIdNumber(customerId),
        status: status ?? null,
      }
      return toPage(await listAccountRows(database, filter, page), page.limit, depositAccount)
    },

    closeAccount: (write, { accountId, reason }) => move(write, accountId, 'close', reason),
    reopenAccount: (write, accountId) => move(write, accountId, 'reopen'),
    freezeAccount: (write, accountId) => move(write, accountId, 'freeze'),
    unfreezeAccount: (write, accountId) => move(write, accountId, 'unfreeze'),
  }
}
