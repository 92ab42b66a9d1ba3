/** The outcome of one check of `purser doctor`, with the next step if there is one. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'failed'
  detail: string
  next?: string
}
