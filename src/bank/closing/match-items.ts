import { bankingDaysAfter } from '../../rails/ach/calendar.ts'
import type { Item } from './items.ts'

export interface Match {
  items: Item[]
  reason: string
}

export interface Matching {
  matches: Match[]
  /** Guesses about items that are left, by their ids. */
  hints: Map<number, string>
}

/**
 * Matches lines of the statement to movements of the ledger, the surest way first: by reference and amount, by amount and day, by
 * sums. Two candidates that are equally good are no match, and no item is matched twice. The rest gets hints for a person.
 */
export function matchItems(items: readonly Item[], windowDays: number): Matching {
  const left = new Set(items.filter(({ hasDirection }) => hasDirection))
  const matches: Match[] = []
  const take = (found: Match[]) => {
    for (const match of found) {
      if (!match.items.every((item) => left.has(item))) continue
      for (const item of match.items) left.delete(item)
      matches.push(match)
    }
  }
  const state: State = { left, windowDays }
  take(bookings(state))
  for (const item of left) if (item.byHand) left.delete(item)
  take(pairs(state, referencesOf, 0, 'same reference and amount'))
  take(pairs(state, referencesOf, windowDays, 'same reference and amount, another day'))
  take(pairs(state, () => [''], 0, 'same amount and day, and no other like it'))
  take(pairs(state, companiesOf, windowDays, 'same company and amount, another day'))
  take(sumsByReference(state))
  take(sumsByGroup(state))
  take(sumsOfLines(state))
  return { matches, hints: hintsFor(items, state) }
}

interface State {
  left: ReadonlySet<Item>
  windowDays: number
}

const sideOf = (items: Iterable<Item>, side: Item['side']) => [...items].filter((item) => item.side === side)
const sumOf = (items: readonly Item[]) => items.reduce((sum, { amount }) => sum + amount, 0)

/** The references that name one record. Companies and batch numbers come again, and are compared with amounts alone. */
function referencesOf({ keys }: Item): string[] {
  return keys.filter((key) => !key.startsWith('company:'))
}

function companiesOf({ keys }: Item): string[] {
  return keys.filter((key) => key.startsWith('company:'))
}

function groupBy<Key>(items: Iterable<Item>, keysOf: (item: Item) => readonly Key[]): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  }
  return groups
}

/** A movement that a person booked for an item belongs to it alone: to a line, or against another movement. */
function bookings({ left }: State): Match[] {
  const byId = new Map([...left].map((item) => [item.id, item]))
  return [...left].flatMap((booking) => {
    const key = booking.keys.find((each) => each.startsWith('item:'))
    const item = byId.get(Number(key?.slice('item:'.length)))
    if (!item) return []
    const expected = item.side === 'statement' ? item.amount : -item.amount
    const said = booking.description.replace(/^statement booking \d+ /, '')
    return booking.amount === expected ? [{ items: [item, booking], reason: `booked by hand, ${said}` }] : []
  })
}

/** Whether a line may show a movement: a line of another kind, or with another reference, does not. */
function fits(line: Item, movement: Item, windowDays: number): boolean {
  const [kind = 'other'] = line.kinds
  if (!movement.kinds.includes(kind)) return false
  return !isContradicted(line, movement) && isNear(line.day, movement.day, windowDays)
}

function isContradicted(line: Item, movement: Item): boolean {
  return ['trace', 'batch', 'company'].some((type) => {
    const [said, own] = [line, movement].map(({ keys }) => keys.filter((key) => key.startsWith(`${type}:`)))
    return said?.length && own?.length && !said.some((key) => own.includes(key))
  })
}

function isNear(one: string, other: string, windowDays: number): boolean {
  const [first = '', second = ''] = [one, other].map((day) => bankingDaysAfter(day, 0)).sort()
  return bankingDaysAfter(first, windowDays) >= second
}

/** Pairs with the same key and amount. As many equal lines as equal movements of one day are one match. */
function pairs({ left }: State, keysOf: (item: Item) => string[], windowDays: number, reason: string): Match[] {
  const keyed = (item: Item) => keysOf(item).map((key) => `${key} ${item.amount}`)
  const matches: Match[] = []
  const movementsByKey = groupBy(sideOf(left, 'ledger'), keyed)
  for (const [key, lines] of groupBy(sideOf(left, 'statement'), keyed)) {
    const movements = movementsByKey.get(key) ?? []
    for (const { some, fitting } of clusters(lines, movements, (line, movement) => fits(line, movement, windowDays))) {
      const isSure = some.length === 1 || new Set([...some, ...fitting].map(({ day }) => day)).size === 1
      if (some.length !== fitting.length || !isSure) continue
      const counted = some.length === 1 ? reason : `${reason}: ${some.length} on both sides`
      matches.push({ items: [...some, ...fitting], reason: counted })
    }
  }
  return matches
}

interface Cluster {
  some: Item[]
  fitting: Item[]
}

/** Lines that fit the same movements, with these. A line whose movements also fit others, but not all of them, is in no cluster. */
function clusters(lines: Item[], movements: Item[], isFit: (line: Item, movement: Item) => boolean): Cluster[] {
  // Many equal amounts without a reference are no pairs, and would take time by their product.
  if (lines.length * movements.length > 10_000) return []
  const fitting = lines.map((line) => movements.filter((movement) => isFit(line, movement)))
  const nameOf = (group: Item[]) => group.map(({ id }) => id).join(' ')
  const found = new Map<string, Cluster>()
  for (const [index, line] of lines.entries()) {
    const own = fitting[index] ?? []
    const cluster = found.get(nameOf(own)) ?? { some: [], fitting: own }
    cluster.some.push(line)
    if (own.length > 0) found.set(nameOf(own), cluster)
  }
  const uses = groupBy(
    [...found.values()].flatMap(({ fitting: own }) => own),
    ({ id }) => [id],
  )
  return [...found.values()].filter(({ fitting: own }) => own.every(({ id }) => uses.get(id)?.length === 1))
}

/** Several lines of one reference that add up to one movement, or one line that is the sum of several movements. */
function sumsByReference({ left, windowDays }: State): Match[] {
  const lines = groupBy(sideOf(left, 'statement'), referencesOf)
  const movements = groupBy(sideOf(left, 'ledger'), referencesOf)
  return [...lines].flatMap(([key, some]) => {
    const others = movements.get(key) ?? []
    const isSum = Math.min(some.length, others.length) === 1 && sumOf(some) === sumOf(others)
    const areFit = some.every((line) => others.every((movement) => fits(line, movement, windowDays)))
    const reason = `the sum of ${Math.max(some.length, others.length)} with the reference ${key.replace(':', ' ')}`
    return isSum && areFit && some.length + others.length > 2 ? [{ items: [...some, ...others], reason }] : []
  })
}

/** A line that is the sum of all movements that belong together by nature: of a company, a file or a day. */
function sumsByGroup({ left, windowDays }: State): Match[] {
  const sums = [...groupBy(sideOf(left, 'ledger'), ({ groups }) => groups)].filter(([, group]) => group.length > 1)
  const bySum = groupBy(sideOf(left, 'statement'), ({ amount }) => [amount])
  const candidates = sums.flatMap(([name, group]) => {
    const lines = (bySum.get(sumOf(group)) ?? []).filter((line) =>
      group.every((movement) => fits(line, movement, windowDays)),
    )
    return lines.length === 1 ? [{ name, group, line: lines[0] as Item }] : []
  })
  // A line that is the sum of two different groups is a guess. A group that is the same under two names is one.
  const ofLine = groupBy(
    candidates.map(({ line }) => line),
    ({ id }) => [id],
  )
  const nameOf = (group: Item[]) => group.map(({ id }) => id).join(' ')
  return candidates.flatMap(({ name, group, line }) => {
    const rivals = candidates.filter((each) => each.line === line && nameOf(each.group) !== nameOf(group))
    const isSure = ofLine.get(line.id)?.length === 1 || rivals.length === 0
    return isSure ? [{ items: [line, ...group], reason: `the sum of ${group.length} movements: ${name}` }] : []
  })
}

/** The lines of a kind and a day that add up to the one movement there is. */
function sumsOfLines({ left }: State): Match[] {
  const named = (kind: string, { amount, day }: Item) => `${kind} ${amount < 0 ? 'debit' : 'credit'} ${day}`
  const lines = groupBy(sideOf(left, 'statement'), (item) => item.kinds.map((kind) => named(kind, item)))
  const movements = groupBy(sideOf(left, 'ledger'), (item) => item.kinds.map((kind) => named(kind, item)))
  return [...lines].flatMap(([name, some]) => {
    const [movement, ...others] = movements.get(name) ?? []
    const isSum = movement && others.length === 0 && some.length > 1 && sumOf(some) === movement.amount
    const areFit = movement && some.every((line) => fits(line, movement, 0))
    return isSum && areFit ? [{ items: [...some, movement], reason: `the sum of ${some.length} lines: ${name}` }] : []
  })
}

/** Guesses about items that are left. Nothing is matched by a hint. */
function hintsFor(items: readonly Item[], { left, windowDays }: State): Map<number, string> {
  const movements = sideOf(left, 'ledger')
  const byAmount = groupBy(movements, ({ amount }) => [amount])
  const byDigits = groupBy(movements, ({ amount }) => [digitsOf(amount)])
  const lines = groupBy(sideOf(items, 'statement'), (item) => [lineName(item)])
  const hints = new Map<number, string>()
  for (const line of sideOf(items, 'statement')) {
    if (!line.hasDirection) hints.set(line.id, 'the type code does not say whether money came or left')
    if (!left.has(line)) continue
    const near = (movement: Item) => isNear(line.day, movement.day, windowDays)
    const same = (byAmount.get(line.amount) ?? []).filter(near)
    const opposite = (byAmount.get(-line.amount) ?? []).filter(near)
    const swapped = (byDigits.get(digitsOf(line.amount)) ?? []).filter(
      (each) => near(each) && each.amount !== line.amount,
    )
    const { amount } = line
    const scaled = [amount * 10, amount * 100, amount / 10, amount / 100]
      .flatMap((each) => byAmount.get(each) ?? [])
      .filter(near)
    const twins = (lines.get(lineName(line)) ?? []).filter((each) => each !== line)
    const hint =
      twins.length > 0 && same.length === 0
        ? `the same as line ${twins[0]?.id}: booked twice?`
        : same.length > 0
          ? `the same amount as movement ${idsOf(same)}`
          : opposite.length > 0
            ? `the amount of movement ${idsOf(opposite)} with the other sign`
            : swapped.length > 0
              ? `the digits of movement ${idsOf(swapped)} in another order: ${Math.abs(line.amount - (swapped[0]?.amount ?? 0))} cents`
              : scaled.length > 0
                ? `the digits of movement ${idsOf(scaled)} with other zeros: ${Math.abs(amount - (scaled[0]?.amount ?? 0))} cents`
                : ['fee', 'interest'].includes(line.kinds[0] ?? '')
                  ? `a ${line.kinds[0]} of the bank: book it`
                  : undefined
    if (hint) hints.set(line.id, hint)
  }
  return hints
}

const idsOf = (items: Item[]) =>
  items
    .slice(0, 3)
    .map(({ id }) => id)
    .join(', ')
const lineName = ({ day, amount, description }: Item) => `${day} ${amount} ${description.replace(/^(\S+) \S+/, '$1')}`

/** The digits of an amount in order, with its sign: the same for amounts whose digits are swapped. */
function digitsOf(amount: number): string {
  return `${Math.sign(amount)} ${[...String(Math.abs(amount))].sort().join('')}`
}
