import { type CreateBookTransferInput, createBookTransfer } from '../../banking/payments/create-book-transfer.ts'
import { createPayment } from '../../banking/payments/create-payment.ts'
import { getPayment } from '../../banking/payments/get-payment.ts'
import type { ListPaymentsQuery } from '../../banking/payments/list-payments.ts'
import type { ListedPayment, Payment } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Page, totalIf } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { refuseSearch } from './accounts.ts'
import { acceptedPayment, isAskedFor, listedPayment, payment } from './mapping/payment.ts'
import { accountOwner, type Connector, missingBeside, relation } from './parts.ts'
import { byCreation, couldExist, listQuery } from './query.ts'
import type { Resource } from './resource.ts'

/** The upstream's names of the payment types. */
const typeNames = { achPayment: 'AchPayment', bookPayment: 'BookPayment' }
const MAX_TAGS = 15

export function paymentsOf({ one, list, pageOf, create }: Connector) {
  /** A list of one payment: the upstream has no filter by the payment's id. */
  async function listedAlone(paymentId: string, query: ListPaymentsQuery): Promise<Page<ListedPayment>> {
    const path = `/payments/${paymentId}`
    const found = await one(getPayment, [paymentId], path, (resource: Resource) => resource).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'payment_not_found') return undefined
      throw error
    })
    const asked = (resource: Resource) => (isAskedFor(resource, query) ? [listedPayment(resource)] : [])
    const { items, omitted, omittedReason } = pageOf(path, found && !query.offset ? [found] : [], false, asked)
    const listed = items.flat()
    const total = totalIf(query.count && !query.offset, listed.length + omitted)
    return new Page(listed, false, undefined, omitted).because(omittedReason).counted(total)
  }

  return {
    createPayment: async (write, input) => {
      const { accountId, counterpartyAccountId, originalType, tags = {}, direction = 'Credit' } = input
      const { amount, description, addenda, sameDay, secCode } = input
      // Debits need a permission of the upstream, which no operation of this connector asks for.
      if (direction === 'Debit') throw new Problem('not_supported_by_provider')
      return create(write, createPayment, {
        ids: [
          [accountId, 'account_not_found'],
          [counterpartyAccountId, 'external_account_not_found'],
        ],
        path: '/payments',
        data: {
          type: 'achPayment',
          attributes: {
            ...{ amount, description, addenda, sameDay, secCode },
            direction,
            // Left out if the caller's own tags fill the limit: the type of an ACH payment says the same.
            tags: Object.keys(tags).length < MAX_TAGS ? { originalType, ...tags } : tags,
          },
          relationships: {
            account: relation('depositAccount', accountId),
            counterparty: relation('counterparty', counterpartyAccountId),
          },
        },
        map: acceptedPayment,
      }).catch((error: unknown) => missingBeside({ one }, accountOwner(accountId), 'external_account_not_found', error))
    },

    createBookTransfer: (write, input) => createTransfer({ create }, write, input),

    getPayment: (_caller, paymentId) => one(getPayment, [paymentId], `/payments/${paymentId}`, payment),

    listPayments: async (_caller, query) => {
      refuseSearch(query)
      const { paymentId, accountId, customerId, counterpartyAccountId, recurringPaymentId } = query
      const ids = [paymentId, accountId, customerId, counterpartyAccountId, recurringPaymentId]
      if (!couldExist(...ids)) return new Page<ListedPayment>([], false).counted(totalIf(query.count, 0))
      if (paymentId !== undefined) return listedAlone(paymentId, query)
      const filters = {
        accountId,
        customerId,
        counterpartyAccountId,
        recurringPaymentId,
        tags: query.tags && JSON.stringify(query.tags),
        status: query.status,
        type: (query.type ?? ['achPayment']).map((type) => typeNames[type]),
        direction: query.direction,
        since: query.since,
        until: query.until,
        fromAmount: query.fromAmount,
        toAmount: query.toAmount,
        feature: query.paymentFeature && [query.paymentFeature],
      }
      return list(ids, `/payments${listQuery(query, byCreation(query), filters)}`, query, listedPayment)
    },
  } satisfies Partial<BankingProvider>
}

/** A book payment between two accounts at the upstream. */
function createTransfer(
  { create }: Pick<Connector, 'create'>,
  write: Write<Payment>,
  { accountId, toAccountId, amount, description }: CreateBookTransferInput,
): Promise<Answer> {
  return create(write, createBookTransfer, {
    ids: [
      [accountId, 'account_not_found'],
      [toAccountId, 'account_not_found'],
    ],
    path: '/payments',
    data: {
      type: 'bookPayment',
      attributes: { amount, description, tags: { originalType: 'BOOK' } },
      relationships: {
        account: relation('depositAccount', accountId),
        counterpartyAccount: relation('depositAccount', toAccountId),
      },
    },
    map: acceptedPayment,
  })
}
