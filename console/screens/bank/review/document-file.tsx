import { useEffect, useState } from 'react'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { useCall } from '../../../data/purser.tsx'
import { saveFile } from '../../../data/save-file.ts'
import styles from './review.module.css'

interface Props {
  documentId: string
  side: 'front' | 'back'
  contentType: string
}

/** A button that shows the file of one side of a document. The service records every look. */
export function DocumentFile(props: Props) {
  const [open, setOpen] = useState(false)
  const title = props.side === 'front' ? 'Front' : 'Back'
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {title}…
      </button>
      {open && (
        <Dialog title={title} close={() => setOpen(false)} wide>
          <Content {...props} />
        </Dialog>
      )}
    </>
  )
}

function Content({ documentId, side, contentType }: Props) {
  const input = { params: { documentId }, query: { side } }
  const { data, error } = useCall('getReviewDocumentContent', input, { once: true })
  const picture = usePicture(contentType.startsWith('image/') ? data : undefined, contentType)
  if (error) return <ProblemNote error={error} />
  if (!data) return <Reading lines={8} />
  const [, kind = ''] = contentType.split('/')
  return (
    <>
      {picture && <img className={styles.picture} src={picture} alt={`${side} of the document`} />}
      <p>
        <button type="button" onClick={() => saveFile(data, `document-${documentId}-${side}.${kind}`, contentType)}>
          Download
        </button>
      </p>
    </>
  )
}

/** The address of a picture that is in memory alone. */
function usePicture(bytes: Uint8Array | undefined, type: string): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!bytes) return
    const made = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, type])
  return address
}
