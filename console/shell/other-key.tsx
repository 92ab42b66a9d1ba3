import { Dialog } from '../components/layout/dialog.tsx'
import { useSession } from '../data/purser.tsx'

/** Asks before the key of a link replaces the key of this tab. */
export function OtherKey({ offered, use, close }: { offered: string; use(): void; close(): void }) {
  const { organisation, key } = useSession().me
  return (
    <Dialog title="Use another API key?" close={close}>
      <div className="stack">
        <p>
          A link was opened that carries another API key, <code>…{offered.slice(-4)}</code>. With it this tab may show
          another organisation, and your actions are made there. Use it only if you know where the link comes from.
        </p>
        <p className="muted">
          This tab uses the key “{key.name}” of {organisation.name}.
        </p>
        <div className="row">
          <button type="button" onClick={close}>
            Keep the present key
          </button>
          <button type="button" className="primary" onClick={use}>
            Use the key of the link
          </button>
        </div>
      </div>
    </Dialog>
  )
}
