/**
 * The file id modifiers and trace numbers that a database gives out. No two files of a day between two banks may have the same
 * modifier, and returns name the trace number of the entry that they answer.
 */
export interface Share {
  /** File id modifiers, in the order of their use. */
  modifiers: string
  /** The last seven digits of its first trace number, and how many there are. */
  firstTrace: number
  traces: number
}

const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** A multiple of the shares, below ten million: numbers that are drawn one after the other stay different in each share. */
const TRACES = 9_999_996

/** The share of a bank with one database, and of an organisation of a sandbox. */
export const wholeShare: Share = { modifiers: MODIFIERS, firstTrace: 1, traces: TRACES }

/** The databases of a bank that can make files. Each has the modifiers of four cut-offs a day with two files each, and one more. */
export const SHARES = 4
const MODIFIERS_EACH = MODIFIERS.length / SHARES
const TRACES_EACH = TRACES / SHARES

/** The most cut-offs a day of a bank with several databases: each has a file of payments and one of returns. */
export const MAX_WINDOWS = Math.floor(MODIFIERS_EACH / 2)

/** The share of a database, by the number of its range; undefined if there is none for it. */
export function shareOf(number: number): Share | undefined {
  if (number >= SHARES) return undefined
  return {
    modifiers: MODIFIERS.slice(number * MODIFIERS_EACH, (number + 1) * MODIFIERS_EACH),
    firstTrace: number * TRACES_EACH + 1,
    traces: TRACES_EACH,
  }
}

/** The last seven digits of a trace number: a number that was drawn from the whole share, moved into this one. */
export function sequenceIn({ firstTrace, traces }: Share, drawn: number): number {
  return firstTrace + ((drawn - 1) % traces)
}

/** Whether a trace number is of a share. */
export function isTraceIn({ firstTrace, traces }: Share, traceNumber: string): boolean {
  const sequence = Number(traceNumber.slice(-7))
  return sequence >= firstTrace && sequence < firstTrace + traces
}
