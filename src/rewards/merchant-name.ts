/** Prefixes that payment processors put before a merchant's name. */
const PROCESSOR = /^(?:sq|sqc|tst|sp|pp|ppl|paypal|pypl|py|ic|dd|in|zsk|fsp|stripe|toast|clover|clv|shopify)\s*\*\s*/
const STORE_NUMBERS = /(?: (?:store|str|no|nr|unit|loc) [a-z]?\d+| \d{2,})+$/

/** Normalises a merchant's name, so that the spellings of terminals and processors compare equal. */
export function normalisedMerchantName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
  const merchant = plain.replace(PROCESSOR, '')
  const words = wordsOf(merchant.replace(/#\s*[a-z]?\d+/g, ' ')).replace(STORE_NUMBERS, '')
  // A name that consists of digits or signs only is kept.
  return words || wordsOf(merchant) || plain
}

function wordsOf(text: string): string {
  return text
    .replace(/['’]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
