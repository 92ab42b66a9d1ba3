/** The limit that a refused payment would exceed. */
export interface LimitLeft {
  /** Whose limit it is. */
  scope: 'account' | 'organisation'
  /** The measure of the limit: the amount of one payment, or of all payments of a UTC day or month in bank time. */
  period: 'payment' | 'day' | 'month'
  /** The limit in cents. */
  limit: number
  /** The rest of it in cents. */
  left: number
}
