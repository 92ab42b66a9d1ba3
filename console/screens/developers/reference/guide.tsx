import { useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { pageTarget, useGuides, usePage } from './guides.ts'
import { parseMarkdown, plainText } from './markdown/markdown.ts'
import { MarkdownBlocks } from './markdown/markdown.tsx'
import styles from './reference.module.css'

const parent = { name: 'Reference', path: '/reference' }

/** A guide, or another page of the documentation. */
export function Guide({ name, folder }: { name: string; folder: 'guides' | '' }) {
  const { data, error } = usePage(folder ? `${folder}/${name}` : name)
  const blocks = useMemo(() => parseMarkdown(data ?? ''), [data])
  const [first, ...rest] = blocks
  const isTitled = first?.kind === 'heading' && first.level === 1
  const title = isTitled ? plainText(first.of) : name
  const shown = isTitled ? rest : blocks
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
                <MarkdownBlocks blocks={shown} target={(to) => pageTarget(folder, to)} />
              </div>
            </Card>
          )}
        </div>
        <div className={styles.contents}>
          <Contents blocks={shown} />
          {folder === 'guides' && <OtherGuides name={name} />}
        </div>
      </div>
    </>
  )
}

function Contents({ blocks }: { blocks: ReturnType<typeof parseMarkdown> }) {
  const headings = blocks.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block] : []))
  if (headings.length < 2) return null
  return (
    <Card title="On this page">
      <ul className={styles.links}>
        {headings.map(({ id, of }) => (
          <li key={id}>
            <a href={`#${id}`}>{plainText(of)}</a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function OtherGuides({ name }: { name: string }) {
  const { data = [] } = useGuides()
  const others = data.filter((each) => each.name !== name)
  if (others.length === 0) return null
  return (
    <Card title="Other guides">
      <ul className={styles.links}>
        {others.map((each) => (
          <li key={each.name}>
            <Link href={`/reference/guides/${each.name}`}>{each.title}</Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
