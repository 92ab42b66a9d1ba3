/**
 * A rule between the members of one object, which JSON Schema cannot say in a form that generators read. Rules stand in
 * schemas as `x-rules`, so that the OpenAPI document shows them. The validation of requests enforces the first seven.
 */
export type Rule =
  /** The first member is at most the second, if both are there. */
  | { rule: 'ordered'; members: readonly [string, string] }
  /** One of the members is there, and only one. */
  | { rule: 'exactlyOne'; members: readonly string[] }
  /** One of the members is there at most. */
  | { rule: 'atMostOne'; members: readonly string[] }
  /** One of the members is there, or several. */
  | { rule: 'atLeastOne'; members: readonly string[] }
  /** An address in the United States, or without a country, has a state of two letters and a ZIP code. */
  | { rule: 'usAddress'; members: readonly ['state', 'postalCode', 'country'] }
  /** The member has at most so many decimals. As `multipleOf`, binary fractions would break it. */
  | { rule: 'decimals'; members: readonly [string]; places: number }
  /** A cursor of the list takes the place of an offset. The list judges whether the cursor is its own. */
  | { rule: 'cursor'; members: readonly ['offset', 'cursor'] }
  /** The clauses of a filter refer to each other; the filter language says how, and its parser judges them. */
  | { rule: 'filter'; members: readonly string[] }
  /** A time in the future, by the clock of the database or of the organisation, which judges it. */
  | { rule: 'future'; members: readonly [string] }
  /** A day that is not in the future, by the clock of the organisation, which judges it. */
  | { rule: 'past'; members: readonly [string] }
  /** A time of the last days, which the operation judges by its clock. */
  | { rule: 'recent'; members: readonly [string]; maxDays: number }
  /** The second time is after the first, or after the one that the record has. The operation judges it. */
  | { rule: 'period'; members: readonly [string, string] }
  /** A place in a feed: `wait` and `after=latest` read forward only, without `before`. The feed judges it. */
  | { rule: 'position'; members: readonly string[] }
  /** An entity's id needs its type, and `type` names types of that entity. The feed judges it. */
  | { rule: 'entity'; members: readonly ['entityType', 'entityId', 'type'] }
  /** The members of a schedule fit each other, and it begins today or later. The operation judges it. */
  | { rule: 'schedule'; members: readonly string[] }
  /** One of the next due dates of the record, which the operation judges. */
  | { rule: 'dueDate'; members: readonly [string] }
  /** A step of the clock, to a time or by a duration, is at most so many days long. The clock judges it. */
  | { rule: 'step'; members: readonly ['to', 'by']; maxDays: number }

/** The rule of a change: it names something. */
export function atLeastOneOf(changes: object): Rule {
  return { rule: 'atLeastOne', members: Object.keys(changes) }
}

/** A broken rule: the member that it is reported at. */
export interface BrokenRule {
  member: string
  code: string
  message: string
}

type Members = Record<string, unknown>

/** The rules that an object breaks. Its members are valid by themselves. */
export function brokenRules(rules: readonly Rule[], members: Members): BrokenRule[] {
  return rules.flatMap((rule) => broken(rule, members))
}

function broken(rule: Rule, members: Members): BrokenRule[] {
  if (rule.rule === 'ordered') return disorder(rule.members, members)
  if (rule.rule === 'exactlyOne') return [...severalOf(rule.members, members), ...noneOf(rule.members, members)]
  if (rule.rule === 'atMostOne') return severalOf(rule.members, members)
  if (rule.rule === 'atLeastOne') return noneOf(rule.members, members)
  if (rule.rule === 'cursor') return severalOf(rule.members, members)
  if (rule.rule === 'decimals') return tooManyDecimals(rule, members)
  return rule.rule === 'usAddress' ? addressFaults(members) : []
}

function disorder([low, high]: readonly [string, string], members: Members): BrokenRule[] {
  const [from, to] = [members[low], members[high]] as [number | undefined, number | undefined]
  if (from === undefined || to === undefined || from <= to) return []
  return [{ member: low, code: 'out_of_range', message: `${low} must not be more than ${high}` }]
}

function severalOf(names: readonly string[], members: Members): BrokenRule[] {
  const [, second] = names.filter((name) => members[name] !== undefined)
  if (second === undefined) return []
  return [{ member: second, code: 'conflict', message: `send only one of ${names.join(', ')}` }]
}

function noneOf(names: readonly string[], members: Members): BrokenRule[] {
  if (names.some((name) => members[name] !== undefined)) return []
  return [{ member: names[0] ?? '', code: 'required', message: `one of ${names.join(', ')} is required` }]
}

function tooManyDecimals(
  { members: [name], places }: { members: readonly [string]; places: number },
  members: Members,
) {
  const value = members[name]
  if (typeof value !== 'number' || Number(value.toFixed(places)) === value) return []
  return [{ member: name, code: 'out_of_range', message: `${name} must have at most ${places} decimals` }]
}

function addressFaults({ state, postalCode, country = 'US' }: Members): BrokenRule[] {
  if (country !== 'US') return []
  const faults: BrokenRule[] = []
  if (!/^[A-Za-z]{2}$/.test(String(state))) {
    faults.push({ member: 'state', code: 'bad_format', message: 'state must be two letters in the US' })
  }
  if (!/^[0-9]{5}(-[0-9]{4})?$/.test(String(postalCode))) {
    faults.push({ member: 'postalCode', code: 'bad_format', message: 'postalCode must be a ZIP or ZIP+4 in the US' })
  }
  return faults
}
