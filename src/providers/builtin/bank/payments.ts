import type { ListedPayment, Payment } from '../../../banking/payments/payment.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import { Page, pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { coalesce } from '../../../database/coalesce.ts'
import { emit } from '../../../events/event.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { LedgerAccount, LedgerPayment, TransferOrder } from '../../../ledger/records.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import { findAccountsByNumber } from './accounts.sql.ts'
import { findPayments, listPaymentRows, type PaymentRow, payingAccounts } from './payments.sql.ts'
import { partOf, post } from './transaction-view.ts'

type Payments = Pick<BankingProvider, 'createPayment' | 'getPayment' | 'listPayments'> & Pick<Sandbox, 'returnPayment'>

const clearing = 'ach_clearing' as const

/** The account of this bank behind a routing number of ours: none where the account number is nobody's. */
interface Ours {
  id: number | undefined
}

/** A payment turned out to go to an account of this bank. */
class GoesToUs extends Error {
  readonly accountNumber: string
  constructor(accountNumber: string) {
    super('a payment to an account of this bank')
    this.accountNumber = accountNumber
  }
}

export function paymentsOf({ database, ids, runOnce, lane, routingNumber, overdraftCents }: BankParts): Payments {
  const findOwnAccount = coalesce(
    (row: { id: number; accountNumber: string }) => row.accountNumber,
    (numbers: string[]) => findAccountsByNumber(database, numbers),
  )
  const findPayment = coalesce(
    (row: PaymentRow) => row.id,
    (wanted: number[]) => findPayments(database, wanted),
  )

  return {
    async createPayment(write, input) {
      const { organisationId } = write.caller
      const accountId = idNumber(input.accountId)
      const payeeId = idNumber(input.counterpartyAccountId)
      const paymentId = await ids.next()
      const transferId = await ids.nextPair()

      /** `ours` is the account of this bank that the payee names, once it is known to name one. */
      function decide(books: Books, ours?: Ours): Payment {
        const account = depositAccountIn(books, organisationId, accountId)
        const payee = books.payee(payeeId)
        if (payee?.customerId !== account.customerId) throw new Problem('external_account_not_found')
        if (account.status !== 'Open') throw new Problem('account_not_open')
        if (payee.routingNumber === routingNumber && !ours) throw new GoesToUs(payee.accountNumber)
        const own = ours?.id === undefined ? undefined : books.account(ours.id)
        // A closed account of ours, or one of another organisation, is an account elsewhere like any other.
        const destination = own?.organisationId === organisationId && own.status !== 'Closed' ? own : undefined
        if (destination?.id === accountId) throw new Problem('same_account')
        if (account.balance - account.hold - input.amount < -overdraftCents) throw new Problem('insufficient_funds')
        const payment: LedgerPayment = {
          id: paymentId,
          organisationId,
          accountId,
          customerId: payee.customerId,
          type: 'achPayment',
          direction: 'Credit',
          status: 'Sent',
          amount: input.amount,
          description: input.description,
          addenda: input.addenda ?? null,
          originalType: input.originalType,
          createdAt: books.now(organisationId),
          externalAccountId: payee.id,
          counterparty: {
            name: payee.name,
            routingNumber: payee.routingNumber,
            accountNumber: payee.accountNumber,
            accountType: payee.accountType,
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
        const shown = emit(books.events, 'payment.created', 1, paymentOf(payment))
        post(books, order, partOf(payment), routingNumber)
        return shown
      }

      const command = { write, accountIds: [accountId], payeeIds: [payeeId], internal: [clearing], decide }
      return runOnce.attempt(write, () =>
        lane.run<Payment>(command).catch(async (error: unknown) => {
          if (!(error instanceof GoesToUs)) throw error
          // Its account is to be locked with the payer's: once more, with both.
          const own = await findOwnAccount(error.accountNumber)
          const accountIds = own ? [accountId, own.id] : [accountId]
          return lane.run<Payment>({ ...command, accountIds, decide: (books) => decide(books, { id: own?.id }) })
        }),
      )
    },

    async getPayment({ organisationId }, paymentId) {
      const row = await findPayment(idNumber(paymentId))
      if (row?.organisationId !== organisationId) throw new Problem('payment_not_found')
      return paymentOf(fromRow(row))
    },

    async listPayments({ organisationId }, query) {
      // Built-in payments do not recur and have no features, so that nothing matches these.
      if (query.recurringPaymentId !== undefined || query.paymentFeature !== undefined) return new Page([], false)
      const page = pageWindow(query)
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
      return toPage(await listPaymentRows(database, filter, page), page.limit, (row) => listedPayment(fromRow(row)))

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
        const shown = emit(books.events, 'payment.returned', 2, paymentOf(returned))
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
      return runOnce.attempt(write, () => lane.run(command))
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
