import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './dialog.module.css'

/** A dialog over the screen, open while it is drawn. Escape and a click beside it close it. */
export function Dialog({
  title,
  close,
  wide = false,
  children,
}: {
  title: string
  close(): void
  wide?: boolean
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The browser would choose the button that closes the dialog.
    shown?.querySelector<HTMLElement>('input, select, textarea')?.focus()
    // A dialog that is removed while it is open takes the focus with it; one that is closed gives it back.
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className={styles.inner}>
        <div className={styles.head}>
          <h2>{title}</h2>
          <button type="button" onClick={close}>
            <span className="unseen">Close, </span>Esc
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
