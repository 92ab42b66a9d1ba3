import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Refused } from '../feedback/problem.tsx'
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

interface ButtonProps {
  label: string
  /** The title of the dialog, if the label says less. */
  title?: string
  /** The code of the problem that would refuse the operation now. The dialog then says so. */
  refusal?: string | null | undefined
  className?: string | undefined
  /** The key that presses the button. */
  hotkey?: string
  wide?: boolean
  /** Whether the content draws a dialog of its own, because its title changes. */
  own?: boolean
  /** Runs when the dialog is closed, for a state that is kept outside of it. */
  closed?(): void
  children(close: () => void): ReactNode
}

/** A button that opens a dialog. */
export function DialogButton(props: ButtonProps) {
  const { label, title, refusal = null, className, hotkey, wide = false, own = false, closed, children } = props
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    closed?.()
  }
  return (
    <>
      <button
        type="button"
        className={refusal ? undefined : className}
        data-key={hotkey}
        // A button that is disabled cannot take the focus back from its dialog.
        aria-disabled={refusal !== null}
        {...(refusal && { title: `${refusal}: not possible now` })}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {open && own && children(close)}
      {open && !own && (
        <Dialog title={title ?? label.replace('…', '')} close={close} wide={wide}>
          {refusal ? <Refused code={refusal} /> : children(close)}
        </Dialog>
      )}
    </>
  )
}
