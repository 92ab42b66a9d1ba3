import { createHash } from 'node:crypto'

/** A page of events, and for each of its events without data the columns from which the data is rendered. */
export interface DigestedPage {
  count: number
  text: string
  rows: string[]
}

/**
 * The digest of the events that one transaction wrote for an organisation, page after page. Each text comes after its
 * length, so that no other pages have the same bytes.
 */
export function openDigest(): { add(page: DigestedPage): void; end(): Buffer } {
  const hash = createHash('sha256')
  return {
    add({ count, text, rows }) {
      let all = `${count} ${text.length} ${text}`
      for (const row of rows) all += `${row.length} ${row}`
      hash.update(all)
    },
    end: () => hash.digest(),
  }
}
