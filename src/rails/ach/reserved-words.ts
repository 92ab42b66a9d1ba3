import type { Side } from './codes.ts'

/** The entries of a batch, as far as the words of its description depend on them. */
interface Described {
  secCode: string
  side: Side
}

const any = () => true
const isDebit = ({ side }: Described) => side === 'debit'

/** The words that the rules of Nacha reserve in the entry description, and the entries that may have them. */
const reservedWords: ReadonlyMap<string, (entries: Described) => boolean> = new Map([
  ['REVERSAL', any],
  ['ACCTVERIFY', any],
  ['NONSETTLED', any],
  ['RECLAIM', isDebit],
  ['RETRY PYMT', isDebit],
  ['RETURN FEE', isDebit],
  // Since 20 March 2026: pay to persons, and purchases in online shops.
  ['PAYROLL', ({ secCode, side }) => secCode === 'PPD' && side === 'credit'],
  ['PURCHASE', ({ secCode, side }) => secCode === 'WEB' && side === 'debit'],
])

/** The reserved word in an entry description, and whether such entries may have it; undefined without one. */
export function reservedWordIn(
  description: string,
  entries: Described,
): { word: string; isAllowed: boolean } | undefined {
  const text = description.trim().toUpperCase()
  for (const [word, mayHave] of reservedWords) {
    if (text === word || text.startsWith(`${word} `)) return { word, isAllowed: mayHave(entries) }
  }
  return undefined
}

/** The words that a payment may ask for: pay to a person, and a purchase in an online shop. */
const ownWords = ['PAYROLL', 'PURCHASE']

/** The reserved word that the description of a payment would bring into a file. */
export function wordOutOfPlace(description: string, entries: Described): string | undefined {
  const found = reservedWordIn(description, entries)
  return found && !(ownWords.includes(found.word) && found.isAllowed) ? found.word : undefined
}
