/** A member that differs between two versions of a record; undefined on the side that does not have it. */
export interface Change {
  /** The names on the way to the member, with dots between them. */
  path: string
  before: unknown
  after: unknown
}

/** The members that differ, in the order of the later version; those that were removed come last. */
export function diffOf(before: unknown, after: unknown, path = ''): Change[] {
  if (isHolder(before) && isHolder(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)])
    return [...names].flatMap((name) =>
      diffOf(member(before, name), member(after, name), path === '' ? name : `${path}.${name}`),
    )
  }
  return Object.is(before, after) ? [] : [{ path, before, after }]
}

type Holder = Record<string, unknown>

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null
}

/** A record may have members with the names of methods that every object has. */
function member(holder: Holder, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}
