/** An interface of the client: the text of each member with its comment, by name. */
export interface Shape {
  name: string
  comment: string
  members: Map<string, string>
  /** The interfaces that it extends. Their members are not its own. */
  bases: string[]
}

/** Members that many interfaces have with the same texts. */
interface Family {
  name: string
  comment: string
  members: string[]
  /** Whether the value of `type` says all that a shape's comment does. */
  isSaidByType?: boolean
}

const families: Family[] = [
  {
    name: 'EventBase',
    comment: '/** The members of every event. */\n',
    members: ['id', 'timestamp', 'apiVersion', 'sequence', 'entity', 'request'],
  },
  {
    name: 'LookedUpBase',
    comment: '/** A record that was looked up, with the records and operations around it. */\n',
    members: ['id', 'label', 'related', 'actions'],
    isSaidByType: true,
  },
  {
    name: 'PageQuery',
    comment: '/** The choice of a page. */\n',
    members: ['limit', 'offset', 'sort', 'cursor'],
  },
  {
    name: 'ClauseQuery',
    comment: '/** A filter of a reward list, and the choice of a page. */\n',
    members: ['whereClause', 'columnNames', 'values', 'orderByClause', 'limit', 'offset'],
  },
  {
    name: 'SortedQuery',
    comment: '/** The choice of a part of a short list. */\n',
    members: ['limit', 'offset', 'sort'],
  },
]

/** An interface extends another if it shares so many characters with it. Less is not worth the look into two places. */
const LEAST_SHARED = 150

export function shapeText({ name, comment, members, bases }: Shape): string {
  const extended = bases.length > 0 ? ` extends ${bases.join(', ')}` : ''
  return `${comment}export interface ${name}${extended} {\n${[...members.values()].join('')}}\n`
}

/**
 * Declares members that interfaces have in common once, and returns the interfaces of the families; of the others, one
 * extends another that has most of its members. Types and comments of members stay the same, and the package gets smaller.
 */
export function shareMembers(shapes: Shape[]): Shape[] {
  const bases = families.flatMap((family) => shareFamily(family, shapes))
  shareWithOthers(shapes)
  return bases
}

/** Takes the members of a family from all shapes that have them with the texts that most have. */
function shareFamily({ name, comment, members, isSaidByType }: Family, shapes: Shape[]): Shape[] {
  const alike = new Map<string, Shape[]>()
  for (const shape of shapes.filter((each) => members.every((member) => each.members.has(member)))) {
    const texts = members.map((member) => shape.members.get(member)).join('')
    alike.set(texts, [...(alike.get(texts) ?? []), shape])
  }
  const [most = []] = [...alike.values()].toSorted((a, b) => b.length - a.length)
  const shared = new Map(members.map((member) => [member, most[0]?.members.get(member) ?? '']))
  for (const shape of most) {
    for (const member of members) shape.members.delete(member)
    // A type says what it is by its only value.
    const type = shape.members.get('type')
    if (type?.includes(": '")) shape.members.set('type', type.replace(/^ *\/\*\*.*\n/, ''))
    if (isSaidByType) shape.comment = ''
    shape.bases.push(name)
  }
  return [{ name, comment, members: shared, bases: [] }]
}

/** A shape that may extend a base: all of the base's members but those that are left out are also its own. */
interface Extension {
  shape: Shape
  base: Shape
  omitted: string[]
  saved: number
}

function shareWithOthers(shapes: Shape[]): void {
  // Events and queries are alike in what their families have.
  const others = shapes.filter(({ name, bases }) => bases.length === 0 && !name.endsWith('Query'))
  const extensions = others
    .flatMap((shape, at) => others.flatMap((base, baseAt) => extensionOf(shape, base, baseAt < at)))
    .toSorted((a, b) => b.saved - a.saved || a.omitted.length - b.omitted.length)
  const chosen = new Map<Shape, Extension>()
  for (const extension of extensions) {
    const { shape, base } = extension
    if (!chosen.has(shape) && !extendsFrom(base, shape, chosen)) chosen.set(shape, extension)
  }
  const all = new Map(others.map((shape) => [shape, [...shape.members.keys()]]))
  for (const [shape, { base, omitted }] of chosen) {
    for (const name of all.get(base) ?? []) if (!omitted.includes(name)) shape.members.delete(name)
    const names = omitted.map((name) => `'${name}'`).join(' | ')
    shape.bases.push(names ? `Omit<${base.name}, ${names}>` : base.name)
  }
}

/** A base that comes later may only be extended with further members: what leaves members out, or adds none, would be hard to follow. */
function extensionOf(shape: Shape, base: Shape, isEarlier: boolean): Extension[] {
  if (shape === base) return []
  const omitted: string[] = []
  let saved = 0
  let shared = 0
  for (const [name, text] of base.members) {
    if (shape.members.get(name) !== text) omitted.push(name)
    else {
      shared++
      saved += text.length
    }
  }
  const isOdd = omitted.length * 2 > shared || (!isEarlier && (omitted.length > 0 || shape.members.size === shared))
  return isOdd || shared < 2 || saved < LEAST_SHARED ? [] : [{ shape, base, omitted, saved }]
}

function extendsFrom(shape: Shape, ancestor: Shape, chosen: Map<Shape, Extension>): boolean {
  const base = chosen.get(shape)?.base
  return shape === ancestor || (base !== undefined && extendsFrom(base, ancestor, chosen))
}
