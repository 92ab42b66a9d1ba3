/** A word of the ledger's tables as the interface writes it: `ach_clearing` is `achClearing`. */
export function shownWord(word: string): string {
  return word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The word of the tables for a word of the interface. */
export function storedWord(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The kind of an account as the interface writes it; deposit accounts have none in the table. */
export function shownKind(kind: string | null): string {
  return kind === null ? 'deposit' : shownWord(kind)
}

/** The number of an account's id, internal ones included, or 0 for a malformed one. */
export function ledgerIdNumber(id: string): number {
  const number = /^-?[1-9][0-9]{6,15}$/.test(id) ? Number(id) : 0
  return Number.isSafeInteger(number) ? number : 0
}
