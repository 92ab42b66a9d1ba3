import type { ListedPayment, Payment } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import { Page, pageOf, window } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { tell } from '../../events/event.ts'
import type { Books, Command } from '../../ledger/books.ts'
import type { LedgerAccount, LedgerPayment, TransferOrder } from '../../ledger/records.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { findAccountsByNumber } from './accounts.sql.ts'
import { findPayees, type PayeeRow } from './external-accounts.sql.ts'
import { type BuiltinParts, coalesce } from './parts.ts'
import { findPayments, listPaymentRows, type PaymentRow, payingAccounts } from './payments.sql.ts'
import { partOf, post } from './transaction-view.ts'

type Payments = Pick<BankingProvider, 'createPayment' | 'getPayment' | 'listPayments'> & Pick<Sandbox, 'returnPayment'>

export function paymentsOf({ database, ids, perform, lane, routingNumber, overdraftCents }: BuiltinParts): Payments {
  const findPayee = coalesce(
    (row: PayeeRow) => row.id,
    (wanted: number[]) => findPayees(database, wanted),
  )
  const findOwnAccount = coalesce(
    (row: { id: number; accountNumber: string }) => row.accountNumber,
    (numbers: string[]) => findAccountsByNumber(database, numbers),
  )
  const findPayment = coalesce(
    (row: PaymentRow) => row.id,
    (wanted: number[]) => findPayments(database, wanted),
  )

  /** The account of this bank that an external account names, if it names one. */
  async function ownAccountId(external: PayeeRow | undefined): Promise<number | undefined> {
    if (external?.routingNumber !== routingNumber) return undefined
    return (await findOwnAccount(external.accountNumber))?.id
  }

  return {
    async createPayment(write, input) {
      const { organisationId } = write.caller
      const accountId = idNumber(input.accountId)
      const external = await findPayee(idNumber(input.counterpartyAccountId))
      const ownId = await ownAccountId(external)
      const paymentId = await ids.next()
      const transferId = await ids.nextPair()

      function decide(books: Books): Payment {
        const account = depositAccountIn(books, organisationId, accountId)
        if (external?.customerId !== account.customerId) throw new Problem('external_account_not_found')
        if (account.status !== 'Open') throw new Problem('account_not_open')
        const own = ownId === undefined ? undefined : books.account(ownId)
        // A closed account of ours, or one of another organisation, is an account elsewhere like any other.
        const destination = own?.organisationId === organisationId && own.status !== 'Closed' ? own : undefined
        if (destination?.id === accountId) throw new Problem('same_account')
        if (account.balance - account.hold - input.amount < -overdraftCents) throw new Problem('insufficient_funds')
        const payment: LedgerPayment = {
          id: paymentId,
          organisationId,
          accountId,
          customerId: external.customerId,
          type: 'achPayment',
          direction: 'Credit',
          status: 'Sent',
          amount: input.amount,
          description: input.description,
          addenda: input.addenda ?? null,
          originalType: input.originalType,
          createdAt: books.now(organisationId),
          externalAccountId: external.id,
          counterparty: {
            name: external.name,
            routingNumber: external.routingNumber,
            accountNumber: external.accountNumber,
            accountType: external.accountType,
          },
          destinationAccountId: destination?.id ?? null,
          tags: input.tags ?? {},
          returnCode: null,
        }
        const order: TransferOrder = {
          id: transferId,
          debitAccountId: accountId,
          creditAccountId: (destination ?? books.internal('ach_clearing')).id,
          amount: input.amount,
          sourceKind: 'payment',
          sourceId: paymentId,
          party: null,
          description: null,
        }
        books.insertPayment(payment)
        const shown = tell(books.record, 'payment.created', 1, paymentOf(payment))
        post(books, order, partOf(payment), routingNumber)
        return shown
      }

      const accountIds = ownId === undefined ? [accountId] : [accountId, ownId]
      return perform.once(write, () => lane.run({ write, accountIds, internal: ['ach_clearing'], decide }))
    },

    async getPayment({ organisationId }, paymentId) {
      const row = await findPayment(idNumber(paymentId))
      if (row?.organisationId !== organisationId) throw new Problem('payment_not_found')
      return paymentOf(fromRow(row))
    },

    async listPayments({ organisationId }, query) {
      // Built-in payments do not recur and have no features, so that nothing matches these.
      if (query.recurringPaymentId !== undefined || query.paymentFeature !== undefined) return new Page([], false)
      const page = window(query)
      const customerId = optionalIdNumber(query.customerId)
      const externalAccountId = optionalIdNumber(query.counterpartyAccountId)
      const filter = {
        organisationId,
        accountIds: await accountsMeant(query.accountId, customerId, externalAccountId),
        paymentId: optionalIdNumber(query.paymentId),
        customerId,
        externalAccountId,
        tags: query.tags ?? null,
        statuses: query.status ?? null,
        types: query.type ?? ['achPayment'],
        directions: query.direction ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        fromAmount: query.fromAmount ?? null,
        toAmount: query.toAmount ?? null,
      }
      return pageOf(await listPaymentRows(database, filter, page), page.limit, (row) => listedPayment(fromRow(row)))

      async function accountsMeant(accountId: string | undefined, customer: number | null, external: number | null) {
        if (accountId !== undefined) return [idNumber(accountId)]
        if (customer === null && external === null) return null
        return payingAccounts(database, organisationId, { customerId: customer, externalAccountId: external })
      }
    },

    async returnPayment(write, { paymentId, returnCode }) {
      const { organisationId } = write.caller
      const known = await findPayment(idNumber(paymentId))
      if (known?.organisationId !== organisationId) throw new Problem('payment_not_found')
      const transferId = await ids.nextPair()

      function decide(books: Books): Payment {
        const payment = books.payment(known?.id ?? 0)
        if (!payment) throw new Problem('payment_not_found')
        const returnable = payment.status === 'Sent' && payment.destinationAccountId === null
        if (!returnable) throw new Problem('payment_not_returnable')
        const returned: LedgerPayment = { ...payment, status: 'Returned', returnCode }
        const order: TransferOrder = {
          id: transferId,
          debitAccountId: books.internal('ach_clearing').id,
          creditAccountId: payment.accountId,
          amount: payment.amount,
          sourceKind: 'payment_return',
          sourceId: payment.id,
          party: null,
          description: `Return ${returnCode}`,
        }
        books.updatePayment(returned)
        const shown = tell(books.record, 'payment.returned', 2, paymentOf(returned))
        post(books, order, partOf(payment), routingNumber)
        return shown
      }

      const command: Command<Payment> = {
        write,
        accountIds: [known.accountId],
        internal: ['ach_clearing'],
        paymentIds: [known.id],
        decide,
      }
      return perform.once(write, () => lane.run(command))
    },
  }
}

/** A customer's account under lock; the bank's own accounts cannot be named. */
export function depositAccountIn(books: Books, organisationId: number, id: number): LedgerAccount {
  const account = books.account(id)
  if (account?.organisationId !== organisationId || account.customerId === null) throw new Problem('account_not_found')
  return account
}

type Shown = Pick<
  LedgerPayment,
  'id' | 'type' | 'amount' | 'createdAt' | 'description' | 'direction' | 'status' | 'originalType' | 'counterparty'
>

function fromRow(row: PaymentRow): Shown {
  return {
    ...row,
    counterparty: {
      name: row.counterpartyName,
      routingNumber: row.counterpartyRoutingNumber,
      accountNumber: row.counterpartyAccountNumber,
      accountType: row.counterpartyAccountType,
    },
  }
}

export function paymentOf(payment: Shown): Payment {
  return {
    id: String(payment.id),
    type: payment.type,
    amount: payment.amount,
    createdAt: payment.createdAt,
    description: payment.description,
    direction: payment.direction,
    status: payment.status,
    originalType: payment.originalType,
    counterparty: payment.counterparty,
  }
}

function listedPayment(payment: Shown): ListedPayment {
  const { originalType: _, ...listed } = paymentOf(payment)
  return listed
}
