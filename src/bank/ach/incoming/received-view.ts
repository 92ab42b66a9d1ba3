import type { ReceivedPayment } from '../../../banking/payments/received-payment.ts'
import { checkDigitOf } from '../../../base/routing-number.ts'
import { returnInWords } from '../../../rails/ach/codes.ts'
import type { LedgerReceived } from '../../records/received-records.ts'

/** The received payment as it is shown. An ACH entry names the sender and its bank, and not the sender's account. */
export function receivedPaymentOf(received: LedgerReceived): ReceivedPayment {
  const { id, accountId, amount, createdAt, description, direction, status, companyName, sendingBank } = received
  const { receiverName, secCode, traceNumber, addenda, settlesOn, returnCode } = received
  return {
    id: String(id),
    type: 'achReceivedPayment',
    accountId: String(accountId),
    ...{ amount, createdAt, description, direction, status },
    counterparty: {
      name: companyName,
      routingNumber: sendingBank + checkDigitOf(sendingBank),
      accountNumber: '',
      accountType: 'Unknown',
    },
    ...{ receiverName, secCode, traceNumber },
    ...(addenda !== null && { addenda }),
    expectedCompletionDate: settlesOn,
    ...(returnCode !== null && returnInWords(returnCode)),
    tags: {},
  }
}
