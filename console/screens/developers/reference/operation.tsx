import { Link } from 'wouter'
import { Status } from '../../../components/display/state.tsx'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { useSession } from '../../../data/purser.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { type Described, type Document, describedIn, groupsOf, plainSchema, useDocument } from './openapi.ts'
import styles from './reference.module.css'
import { Members, Parameters } from './schema.tsx'
import { Try } from './try/try.tsx'

const parent = { name: 'Reference', path: '/reference' }

/** One operation: its meaning, its input, its answers, and a form that runs it. */
export function Operation({ id }: { id: string }) {
  const { data: document, error } = useDocument()
  const described = document && describedIn(document, id)
  if (!document) return error ? <ProblemNote error={error} /> : <Reading lines={8} />
  if (!described) {
    return (
      <>
        <PageTitle title={id} parent={parent} />
        <Card title="Not found">
          <Empty title="There is no operation with this name">
            <Link href="/reference">All operations</Link>
          </Empty>
        </Card>
      </>
    )
  }
  return <DescribedOperation document={document} described={described} />
}

function DescribedOperation({ document, described }: { document: Document; described: Described }) {
  const { id, title, method, path, prose, deprecated } = described
  return (
    <>
      <PageTitle title={title} parent={parent} id={id}>
        {deprecated && <span className="warn">Deprecated</span>}
      </PageTitle>
      <p className={styles.route}>
        <b>{method}</b> <span>{path}</span>
      </p>
      <Siblings document={document} id={id} />
      <div className={styles.operation}>
        <div className={styles.about}>
          <Card title="Meaning" bare>
            <Markdown text={prose} target={targetOf} />
          </Card>
          <Access described={described} />
        </div>
        <div className={styles.try}>
          <Try key={id} document={document} described={described} />
        </div>
        <div className={styles.rest}>
          <Input document={document} described={described} />
          <AnswerShape document={document} described={described} />
          <Problems described={described} />
        </div>
      </div>
    </>
  )
}

/** The prose of operations links to nothing but web addresses. */
function targetOf(): undefined {
  return undefined
}

/** The other operations of the same resource. */
function Siblings({ document, id }: { document: Document; id: string }) {
  const group = groupsOf(document).find(({ operations }) => operations.some((each) => each.id === id))
  if (!group) return null
  return (
    <nav className={styles.siblings} aria-label={group.name}>
      <span className="muted">{group.name}</span>
      {group.operations.map((each) => (
        <Link key={each.id} href={`/reference/${each.id}`} {...(each.id === id && { 'aria-current': 'page' as const })}>
          {each.title}
        </Link>
      ))}
    </nav>
  )
}

/** The scope of the operation, and whether this key has it. */
function Access({ described: { id, scope } }: { described: Described }) {
  const { me } = useSession()
  const allowed = me.operations.includes(id)
  const has =
    !scope ||
    !me.key.scopes ||
    me.key.scopes.includes(scope as 'banking:read') ||
    me.key.scopes.includes(scope.replace('read', 'write') as 'banking:write')
  return (
    <p className={styles.access}>
      {scope && (
        <span>
          Scope <code>{scope}</code>
        </span>
      )}
      {allowed ? (
        <span className="good">This key may call it.</span>
      ) : has ? (
        <span className="warn">This service does not offer it: its mode or its provider does not have it.</span>
      ) : (
        <span className="warn">This key lacks the scope.</span>
      )}
    </p>
  )
}

function Input({ document, described: { params, query, body } }: { document: Document; described: Described }) {
  return (
    <>
      {params.length > 0 && (
        <Card title="Path parameters">
          <Parameters document={document} of={params} />
        </Card>
      )}
      {query.length > 0 && (
        <Card title="Query parameters">
          <Parameters document={document} of={query} />
        </Card>
      )}
      {body && (
        <Card title="Body">
          <Members document={document} schema={body.schema} />
        </Card>
      )}
    </>
  )
}

function AnswerShape({ document, described }: { document: Document; described: Described }) {
  const { status, schema, example, type } = described.answer
  const { data } = schema ? (plainSchema(document, schema).properties ?? {}) : {}
  return (
    <Card title="Success" aside={<Status of={status} />}>
      {schema && type?.includes('json') ? (
        <>
          <p className={styles.lead}>
            {data && plainSchema(document, data).type === 'array' ? (
              <>
                Members of each record in <code>data</code>
              </>
            ) : (
              <>
                Members of <code>data</code>
              </>
            )}
          </p>
          <Members document={document} schema={data ?? schema} answer />
        </>
      ) : (
        <p className="muted">{type ? `A file: ${type}` : 'No body'}</p>
      )}
      {example !== undefined && (
        <details className={styles.example}>
          <summary>Example</summary>
          <pre>{JSON.stringify(example, undefined, 2)}</pre>
        </details>
      )}
    </Card>
  )
}

/** The refusals: those of this operation first, those that any operation may answer folded. */
function Problems({ described: { problems } }: { described: Described }) {
  const own = problems.filter(({ code }) => !common.has(code))
  const others = problems.filter(({ code }) => common.has(code))
  return (
    <Card title="Problems">
      <ProblemList of={own} />
      {others.length > 0 && (
        <details className={styles.example} open={own.length === 0}>
          <summary>{others.length} that any operation may answer</summary>
          <ProblemList of={others} />
        </details>
      )}
    </Card>
  )
}

const common = new Set([
  'invalid_request',
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
  'outcome_unknown',
  'not_supported_by_provider',
  'refused_by_provider',
  'upstream_error',
  'upstream_outcome_unknown',
  'upstream_unavailable',
  'upstream_timeout',
  'idempotency_in_progress',
  'idempotency_key_reused',
])

function ProblemList({ of: problems }: { of: Described['problems'] }) {
  return (
    <ul className={styles.problems}>
      {problems.map(({ status, code, detail }) => (
        <li key={code}>
          <span className={styles.problemHead}>
            <code>{code}</code>
            <span className="muted">{status}</span>
          </span>
          <span>{detail}</span>
        </li>
      ))}
    </ul>
  )
}
