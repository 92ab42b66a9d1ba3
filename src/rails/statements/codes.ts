/** The kinds of bookings that the matching distinguishes. */
export const entryKinds = [
  'settlement',
  'received',
  'return',
  'fee',
  'interest',
  'transfer',
  'correction',
  'other',
] as const
export type EntryKind = (typeof entryKinds)[number]

/** A bank's own meaning of codes. A direction is for a code that has none by its number. */
export type KindMapping = ReadonlyMap<string, { kind: EntryKind; direction?: 'Credit' | 'Debit' }>

/** BAI type codes of transactions by their meaning. */
const baiKinds: Record<Exclude<EntryKind, 'other'>, readonly number[]> = {
  settlement: [145, 165, 166, 169, 445, 447, 455, 462, 466, 469],
  received: [142, 143, 451, 452],
  return: [168, 256, 257, 258, 266, 468, 556, 557, 558, 566],
  fee: [398, 564, 567, 661, 698],
  interest: [354, 654],
  transfer: [191, 195, 201, 206, 277, 491, 495, 501, 506, 577],
  correction: [252, 254, 357, 552, 554, 631],
}

/** ISO 20022 codes by their meaning: domain, family and sub-family; the first that fits counts. */
const isoKinds: readonly [RegExp, EntryKind][] = [
  [/^PMNT\/\w+\/(ARET|AREV|RRTN|UPDD|RPCR|PRDD)$/, 'return'],
  [/^PMNT\/(ICDT|IDDT)\//, 'settlement'],
  [/^PMNT\/(RCDT|RDDT)\//, 'received'],
  [/\/(CHRG|FEES|COMM)$/, 'fee'],
  [/\/INTR$/, 'interest'],
  [/\/(BOOK|XBCT|SWEP|ZABA|TOPG)$/, 'transfer'],
]

const byCode = new Map(
  Object.entries(baiKinds).flatMap(([kind, codes]) => codes.map((code) => [String(code), kind as EntryKind] as const)),
)

/** The kind of a booking: by the bank's own mapping first, then by the codes of the standards. */
export function kindOf(codes: readonly string[], mapping: KindMapping): EntryKind {
  for (const code of codes) {
    const own = mapping.get(code)?.kind ?? byCode.get(code)
    if (own) return own
    const iso = isoKinds.find(([pattern]) => pattern.test(code))
    if (iso) return iso[1]
  }
  return 'other'
}

/** The direction that the number of a BAI type code says; null for loans and for numbers outside all ranges. */
export function directionOf(code: number): 'Credit' | 'Debit' | null {
  if ((code >= 100 && code <= 399) || (code >= 920 && code <= 959)) return 'Credit'
  return (code >= 400 && code <= 699) || (code >= 960 && code <= 999) ? 'Debit' : null
}

/** Whether a code is of the bank's own making. */
export function isCustom(code: number): boolean {
  return code >= 900
}
