/** What payment processors put before the name of the merchant they collect for. */
const PROCESSOR = /^(?:sq|sqc|tst|sp|pp|ppl|paypal|pypl|py|ic|dd|in|zsk|fsp|stripe|toast|clover|clv|shopify)\s*\*\s*/
const STORE_NUMBERS = /(?: (?:store|str|no|nr|unit|loc) [a-z]?\d+| \d{2,})+$/

/** One text for one merchant, however a terminal or a processor writes its name. */
export function normalisedMerchantName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
  const own = plain.replace(PROCESSOR, '')
  const words = wordsOf(own.replace(/#\s*[a-z]?\d+/g, ' ')).replace(STORE_NUMBERS, '')
  // A name made of numbers or signs alone is still a name.
  return words || wordsOf(own) || plain
}

function wordsOf(text: string): string {
  return text
    .replace(/['’]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
