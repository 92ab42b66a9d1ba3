import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import { Link } from 'wouter'
import { type OperationId, operations } from '../../client/src/index.ts'
import { languages, type SnippetInput, snippet } from '../../ground/snippets.ts'
import { Copy } from '../components/display/copy.tsx'
import { Tabs } from '../components/layout/tabs.tsx'
import { useLanguage } from '../components/records/by-api.tsx'
import styles from './call-drawer.module.css'

/** Calls of the frame, which every screen makes. */
const frame = new Set(['getMe', 'getClock', 'search'])

/** The calls behind the present screen, as texts to paste. */
export function CallDrawer({ close }: { close(): void }) {
  const queries = useQueryClient()
  useCalls(queries)
  const [language, choose] = useLanguage()
  const active = queries.getQueryCache().findAll({ type: 'active' })
  const keys = active.map(({ queryKey }) => queryKey as unknown as [OperationId, SnippetInput])
  // Pages of the documentation are no operations.
  const calls = keys.filter(([id]) => Object.hasOwn(operations, id))
  const own = calls.filter(([id]) => !frame.has(id))
  return (
    <aside className={styles.drawer} aria-label="The calls behind this screen">
      <div className={styles.title}>
        <h2>The calls behind this screen</h2>
        <button type="button" onClick={close}>
          Close <kbd>.</kbd>
        </button>
      </div>
      <Tabs label="Language" names={languages} chosen={language} choose={choose} />
      {(own.length > 0 ? own : calls).map(([id, input]) => {
        const text = snippet(language, operations[id], input, location.origin)
        return (
          <div key={JSON.stringify([id, input])} className={styles.call}>
            <div className={styles.head}>
              <Link href={`/reference/${id}`} className="mono">
                {id}
              </Link>
              <Copy text={text} />
            </div>
            <pre>{text}</pre>
          </div>
        )
      })}
    </aside>
  )
}

/** Draws again when another screen makes other calls. */
function useCalls(queries: QueryClient): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = queries.getQueryCache().subscribe(({ type }) => {
      if (type !== 'observerAdded' && type !== 'observerRemoved') return
      clearTimeout(timer)
      timer = setTimeout(redraw)
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [queries])
}
