import pg from 'pg'

const INT8 = 20
const TIMESTAMPTZ = 1184

/** The driver's column types, except that bigints are numbers and times are texts of the interface. */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return parseSafeInteger
    if (oid === TIMESTAMPTZ) return parseTimestamp
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

function parseSafeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`a bigint outside the safe range: ${text}`)
  return number
}

/** Turns `2026-01-31 12:00:00.5+00` into the interface's `2026-01-31T12:00:00.500Z`. */
function parseTimestamp(text: string): string {
  // Dropping another offset would shift the time in silence.
  if (!text.endsWith('+00')) throw new RangeError(`a time that is not in UTC: ${text}`)
  const space = text.indexOf(' ')
  const fraction = text.slice(space + 10, -3)
  return `${text.slice(0, space)}T${text.slice(space + 1, space + 9)}.${`${fraction}000`.slice(0, 3)}Z`
}
