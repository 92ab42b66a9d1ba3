import { useMemo } from 'react'
import { Link } from 'wouter'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { useMay } from '../../../data/purser.tsx'
import { pageTarget, usePage } from './guides.ts'
import { Markdown, pageOf } from './markdown.tsx'
import { type Document, describedIn, groupsOf, useDocument } from './openapi.ts'
import styles from './reference.module.css'
import { Try } from './try/try.tsx'

const parent = { name: 'Reference', path: '/reference' }

/** One operation: the page that the service writes about it, and a form that runs it with the reader's own records. */
export function Operation({ id }: { id: string }) {
  const { data: document, error } = useDocument()
  const described = document && describedIn(document, id)
  const may = useMay(described?.id ?? 'getMe')
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
  return (
    <>
      <PageTitle title={described.title} parent={parent} id={id}>
        {described.deprecated && <span className="warn">Deprecated</span>}
        {!may && <span className="warn">This key may not call it, or the service does not offer it.</span>}
      </PageTitle>
      <Siblings document={document} id={id} />
      <div className={styles.operation}>
        <div className={styles.try}>
          <Try key={id} document={document} described={described} />
        </div>
        <About id={id} />
      </div>
    </>
  )
}

/** The meaning of an operation, its input, its answer and its problems. */
function About({ id }: { id: string }) {
  const { data, error } = usePage(id)
  const { blocks } = useMemo(() => pageOf(data ?? ''), [data])
  return (
    <Card title="About the operation" bare>
      <ProblemNote error={error} />
      {!data && !error && <Reading lines={10} />}
      <Markdown blocks={blocks} target={(to) => pageTarget('', to)} />
    </Card>
  )
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
