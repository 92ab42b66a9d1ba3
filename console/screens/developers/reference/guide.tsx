import { useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { pageTarget, useGuides, usePage } from './guides.ts'
import { Markdown, pageOf } from './markdown.tsx'
import styles from './reference.module.css'

const parent = { name: 'Reference', path: '/reference' }

/** A guide, or another page of the documentation. */
export function Guide({ name, folder }: { name: string; folder: 'guides' | '' }) {
  const { data, error } = usePage(folder ? `${folder}/${name}` : name)
  const { data: guides = [] } = useGuides()
  const { title = name, sections, blocks } = useMemo(() => pageOf(data ?? ''), [data])
  const others = folder === 'guides' ? guides.filter((each) => each.name !== name) : []
  useEffect(() => {
    if (data && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [data])
  return (
    <>
      <PageTitle title={title} parent={parent} />
      <div className="columns">
        <div>
          <ProblemNote error={error} />
          {!data && !error && <Reading lines={10} />}
          {data && (
            <Card title={title} bare>
              <div className={styles.page}>
                <Markdown blocks={blocks} target={(to) => pageTarget(folder, to)} />
              </div>
            </Card>
          )}
        </div>
        <div className={styles.contents}>
          {sections.length > 1 && (
            <Card title="On this page">
              <ul className={styles.links}>
                {sections.map((section) => (
                  <li key={section.id}>
                    <a href={`#${section.id}`}>{section.title}</a>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {others.length > 0 && (
            <Card title="Other guides">
              <ul className={styles.links}>
                {others.map((each) => (
                  <li key={each.name}>
                    <Link href={`/reference/guides/${each.name}`}>{each.title}</Link>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}
