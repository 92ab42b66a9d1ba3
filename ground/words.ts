/** Abbreviations that names write as words. */
const abbreviations = /\b(ach|api|pdf|sec|url)\b/gi

/** A name of the interface in words: `PendingReview` is `Pending review`, `achClearing` is `ACH clearing`. */
export function words(name: string): string {
  const spaced = name
    .replace(/[_.-]/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(abbreviations, (each) => each.toUpperCase())
}

/** A name of the interface in words within a sentence: `paymentReturn` is `payment return`. */
export function wordsWithin(name: string): string {
  const text = words(name)
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)
}
