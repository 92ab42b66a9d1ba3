import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { useCall } from '../../../data/purser.tsx'
import { saveFile, useAddress } from '../../../data/save-file.ts'
import styles from './review.module.css'

interface Props {
  documentId: string
  side: 'front' | 'back'
  contentType: string
}

/** A button that shows the file of one side of a document. The service records every look. */
export function DocumentFile(props: Props) {
  return (
    <DialogButton label={props.side === 'front' ? 'Front…' : 'Back…'} wide>
      {() => <Content {...props} />}
    </DialogButton>
  )
}

function Content({ documentId, side, contentType }: Props) {
  const input = { params: { documentId }, query: { side } }
  const { data, error } = useCall('getReviewDocumentContent', input, { once: true })
  const picture = useAddress(contentType.startsWith('image/') ? data : undefined, contentType)
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
