import type { ReactNode } from 'react'
import { Copy } from '../../../components/display/copy.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import styles from './secret.module.css'

/** A secret that the service shows this once. */
export function Secret({
  title,
  secret,
  close,
  children,
}: {
  title: string
  secret: string
  close(): void
  children?: ReactNode
}) {
  return (
    <Dialog title={title} close={close}>
      <div className="stack">
        <p>Copy it now: the service does not show it again.</p>
        <div className={styles.secret}>
          <code>{secret}</code>
          <Copy text={secret} />
        </div>
        {children}
        <div className={styles.end}>
          <button type="button" className="primary" onClick={close}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  )
}
