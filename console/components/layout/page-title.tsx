import { type ReactNode, useEffect, useRef } from 'react'
import { LinkTabs } from './link-tabs.tsx'
import { Back, Neighbours } from './neighbours.tsx'
import styles from './page-title.module.css'

interface Props {
  /** The text of the browser's tab, if the title is not a text. */
  name?: string
  title: ReactNode
  /** The list that the record belongs to. */
  parent?: { name: string; path: string }
  /** The id in the path above the title. */
  id?: string
  /** Text beside the title, such as the other party and the state. */
  children?: ReactNode
  actions?: ReactNode
  /** The screens of the subject. */
  tabs?: readonly { name: string; path: string }[]
}

/** The head of a screen: where it is, its title, and its actions. */
export function PageTitle({ name, title, parent, id, children, actions, tabs }: Props) {
  const text = name ?? (typeof title === 'string' ? title : (parent?.name ?? ''))
  useEffect(() => {
    document.title = `${text} · Purser`
  }, [text])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The focus is on the content as a whole after a link to this screen, unless the reader moved on.
    if (document.activeElement?.tagName === 'MAIN') heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles.head}>
      {parent && (
        <nav className={styles.crumbs} aria-label="Breadcrumb">
          <ol>
            <li>
              <Back to={parent} />
            </li>
            {id && <li className="mono">{id}</li>}
          </ol>
          {id && <Neighbours />}
        </nav>
      )}
      <div className={styles.title}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {tabs && <LinkTabs label={text} tabs={tabs} />}
    </div>
  )
}
