import type { Schema } from '../../../../ground/schema.ts'
import { Markdown } from './markdown/markdown.tsx'
import type { Document, Parameter } from './openapi.ts'
import { plainSchema } from './openapi.ts'
import styles from './schema.module.css'
import { wordsOf } from './try/draft.ts'

/** Inner objects unfold down to this depth. */
const DEEPEST = 8

/** The parameters of a path or a query. */
export function Parameters({ document, of: parameters }: { document: Document; of: Parameter[] }) {
  return (
    <ul className={styles.members}>
      {parameters.map(({ name, schema, required, description }) => (
        <Member
          key={name}
          name={name}
          schema={description ? { ...plainSchema(document, schema), description } : schema}
          required={required}
          document={document}
          depth={0}
          answer={false}
        />
      ))}
    </ul>
  )
}

/** The members of an object. Of several kinds of objects, each unfolds. */
export function Members({
  document,
  schema,
  depth = 0,
  answer = false,
}: {
  document: Document
  schema: Schema
  depth?: number
  /** Whether the object is answered, if a member may be absent, and not sent, if one may be required. */
  answer?: boolean
}) {
  const plain = plainSchema(document, schema)
  const { properties, required = [], items } = plain
  const member = plain.discriminator?.propertyName
  const kinds = plain.oneOf ?? (properties ? undefined : plain.anyOf)
  if (kinds) {
    return (
      <div className={styles.kinds}>
        {kinds.map((kind, at) => (
          <details key={kindName(document, kind, member)} open={at === 0}>
            <summary>{kindName(document, kind, member)}</summary>
            <Members document={document} schema={kind} depth={depth + 1} answer={answer} />
          </details>
        ))}
      </div>
    )
  }
  if (items) return <Members document={document} schema={items} depth={depth} answer={answer} />
  if (!properties) return null
  return (
    <ul className={styles.members}>
      {Object.entries(properties).map(([name, member]) => (
        <Member
          key={name}
          name={name}
          schema={member}
          required={required.includes(name)}
          document={document}
          depth={depth}
          answer={answer}
        />
      ))}
    </ul>
  )
}

/** The word by which a kind of object is chosen, or its name. */
function kindName(document: Document, schema: Schema, member: string | undefined): string {
  const [word] = wordsOf(document, schema, member)
  return word === undefined
    ? (schema.$ref?.split('/').at(-1) ?? schema.format ?? schema.type ?? 'Object')
    : String(word)
}

interface MemberProps {
  name: string
  schema: Schema
  required: boolean
  document: Document
  depth: number
  answer: boolean
}

function Member({ name, schema, required, document, depth, answer }: MemberProps) {
  const plain = plainSchema(document, schema)
  const inner = innerSchema(document, plain)
  return (
    <li>
      <div className={styles.head}>
        <code>{name}</code>
        <span className="muted">{typeOf(document, plain)}</span>
        {required && !answer && <span className={styles.required}>required</span>}
        {!required && answer && <span className="muted">may be absent</span>}
      </div>
      {plain.description && <Markdown text={plain.description} />}
      <Limits document={document} schema={plain} />
      {inner && depth < DEEPEST && (
        <details className={styles.inner}>
          <summary>{plain.type === 'array' ? `Each of ${name}` : `Members of ${name}`}</summary>
          <Members document={document} schema={inner} depth={depth + 1} answer={answer} />
        </details>
      )}
    </li>
  )
}

/** The schema of the members inside, if there are any. */
function innerSchema(document: Document, schema: Schema): Schema | undefined {
  const { items, properties, oneOf } = schema
  if (properties || oneOf) return schema
  if (items) return innerSchema(document, plainSchema(document, items))
  return undefined
}

/** The type in words: `text`, `whole number`, `list of texts`. */
function typeOf(document: Document, schema: Schema & { nullable?: boolean }): string {
  const own = plainType(document, schema)
  return schema.nullable ? `${own} or null` : own
}

function plainType(
  document: Document,
  { type, items, format, anyOf, contentEncoding, additionalProperties, ...rest }: Schema,
): string {
  if (rest['x-resource']) return `id of ${rest['x-resource']}`
  if (type === 'array') return `list of ${items ? typeOf(document, plainSchema(document, items)) : 'values'}`
  if (contentEncoding) return `text, ${contentEncoding}`
  if (format) return format
  if (anyOf && !rest.properties)
    return anyOf.map((each) => plainType(document, plainSchema(document, each))).join(' or ')
  if (typeof additionalProperties === 'object') return 'object with free names'
  const names: Record<string, string> = { string: 'text', integer: 'whole number' }
  return names[type ?? ''] ?? type ?? (rest.oneOf ? 'object' : 'any value')
}

/** Limits, words, the default and an example. */
function Limits({ document, schema }: { document: Document; schema: Schema }) {
  const { enum: words = schema.items ? plainSchema(document, schema.items).enum : undefined } = schema
  const { default: standard, examples } = schema
  const limits = limitsOf(schema)
  return (
    <>
      {words && (
        <p className={styles.words}>
          {words.map((word) => (
            <code key={String(word)}>{String(word)}</code>
          ))}
          {schema['x-extensible-enum'] && <span className="muted">and others later</span>}
        </p>
      )}
      {(limits || standard !== undefined || (examples && !words)) && (
        <p className={styles.limits}>
          {limits && <span>{limits}</span>}
          {standard !== undefined && (
            <span>
              Default <code>{JSON.stringify(standard)}</code>
            </span>
          )}
          {examples?.[0] !== undefined && !words && (
            <span>
              Example <code>{short(examples[0])}</code>
            </span>
          )}
        </p>
      )}
    </>
  )
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** Limits in words. Those of the number format itself are left out. */
function limitsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems, maxProperties }: Schema): string {
  const largest = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  return [
    range(minimum, largest, ''),
    range(minLength === 1 ? undefined : minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' values'),
    range(undefined, maxProperties, ' members'),
  ]
    .filter(Boolean)
    .join(', ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const text = (value: number) => value.toLocaleString('en-US')
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `From ${text(least ?? 0)}${unit}`
  if (least === undefined) return `At most ${text(most)}${unit}`
  return least === most ? `${text(most)}${unit}` : `${text(least)} to ${text(most)}${unit}`
}
