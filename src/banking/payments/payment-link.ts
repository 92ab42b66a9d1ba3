/** Why the rules of ACH let a payment be taken back. */
export const reversalReasons = ['Duplicate', 'WrongReceiver', 'WrongAmount', 'WrongDate'] as const
export type ReversalReason = (typeof reversalReasons)[number]

/** The payment that another one presents again or takes back. */
export type PaymentLink =
  | { kind: 'Retry'; paymentId: string }
  | { kind: 'Reversal'; paymentId: string; reason: ReversalReason }
