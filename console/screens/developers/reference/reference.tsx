import { Link } from 'wouter'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { useFilters } from '../../../data/filters.ts'
import { useSession } from '../../../data/purser.tsx'
import { useGuides } from './guides.ts'
import { type Group, groupsOf, useDocument } from './openapi.ts'
import styles from './reference.module.css'

/** All operations by resource, and the guides. */
export function Reference() {
  const { data: document, error } = useDocument()
  const [filters, setFilters] = useFilters(['q'])
  const groups = document ? matching(groupsOf(document), filters.q ?? '') : []
  return (
    <>
      <PageTitle title="Reference" />
      <div className="columns">
        <div>
          <Filters fields={[{ name: 'q', label: 'Name or path' }]} values={filters} set={setFilters} />
          <ProblemNote error={error} />
          {!document && !error && <Reading lines={10} />}
          {groups.map((group) => (
            <Resource key={group.name} group={group} />
          ))}
          {document && groups.length === 0 && (
            <Card title="Operations">
              <Empty title={`No operation matches “${filters.q}”`} />
            </Card>
          )}
        </div>
        <div className={styles.start}>
          <Start />
          <Guides />
          <Machines />
        </div>
      </div>
    </>
  )
}

/** The operations whose name, title or path has all words of a text. */
function matching(groups: Group[], text: string): Group[] {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (sought.length === 0) return groups
  const kept = groups.map(({ name, operations }) => ({
    name,
    operations: operations.filter(({ id, title, method, path }) => {
      const all = [name, id, title, method, path].join(' ').toLowerCase()
      return sought.every((word) => all.includes(word))
    }),
  }))
  return kept.filter(({ operations }) => operations.length > 0)
}

function Resource({ group: { name, operations } }: { group: Group }) {
  const { me } = useSession()
  return (
    <Card title={name} flush>
      <ul className={styles.operations}>
        {operations.map(({ id, title, method, path, deprecated }) => (
          <li key={id}>
            <Link href={`/reference/${id}`} data-row="">
              <span className={styles.method}>{method}</span>
              <span className={styles.name}>
                {title}
                {deprecated && <span className="warn"> deprecated</span>}
                {!me.operations.includes(id) && <span className="muted"> not for this key</span>}
              </span>
              <span className={styles.path}>{path}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Start() {
  return (
    <Card title="Start">
      <p className={styles.lead}>
        Each operation has a form that is filled with your own records. Run it, or copy the call.
      </p>
      <Link href="/reference/connect">Connect a program</Link>
    </Card>
  )
}

function Guides() {
  const { data, error } = useGuides()
  if (data?.length === 0) return null
  return (
    <Card title="Guides">
      <ProblemNote error={error} />
      {!data && !error && <Reading />}
      <ul className={styles.links}>
        {data?.map(({ name, title }) => (
          <li key={name}>
            <Link href={`/reference/guides/${name}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The reference for programs. */
function Machines() {
  return (
    <Card title="For programs">
      <ul className={styles.links}>
        <li>
          <a href="/openapi.json">OpenAPI document</a>
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a>
        </li>
        <li>
          <a href="/docs/errors">Codes of problems</a>
        </li>
      </ul>
    </Card>
  )
}
