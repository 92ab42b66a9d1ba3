import type { Window } from './calendar.ts'

/** The settings of a bank whose payments leave with ACH files. */
export interface AchSettings {
  /** The ACH operator, or the bank that forwards the files: nine digits. */
  destination: string
  destinationName: string
  /** Ten characters: a blank and nine digits, or an id that the receiving bank has assigned. */
  origin: string
  originName: string
  /** The company of organisations that have none of their own. */
  companyName: string
  companyId: string
  windows: readonly Window[]
  /** The largest amount of a same-day entry, in cents. */
  sameDayLimitCents: number
  /** Whether the batches of a file settle only after the receiving bank has acknowledged it. */
  acknowledge: 'optional' | 'required'
  /** The folder to which files are delivered. */
  outgoing: string
  /** The folder from which files are taken. */
  incoming: string
}

/** `instant` books payments as sent, and nothing leaves the bank. */
export type AchMode = 'instant' | AchSettings
