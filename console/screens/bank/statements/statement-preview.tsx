import type { Statement } from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { month } from '../../../data/format.ts'
import { useCall, useMay, useSend } from '../../../data/purser.tsx'
import { saveFile, useAddress } from '../../../data/save-file.ts'
import styles from './statement-preview.module.css'

/** The document of a statement. It runs no script and has no origin. */
export function StatementPreview({ statement: { id, period } }: { statement: Statement }) {
  const { data, error } = useCall('getStatement', { params: { statementId: id }, query: { format: 'html' } })
  const address = useAddress(data && 'html' in data ? data.html : undefined, 'text/html;charset=utf-8')
  if (error) return <ProblemNote error={error} />
  if (!address) return <Reading lines={8} />
  return <iframe className={styles.preview} sandbox="" src={address} title={`Statement of ${month(period)}`} />
}

/** Saves the statement as a PDF. */
export function DownloadPdf({ statement: { id, period } }: { statement: Statement }) {
  const may = useMay('getStatementPdf')
  const { mutate, isPending, error } = useSend('getStatementPdf')
  if (!may) return null
  const download = () =>
    mutate(
      { params: { statementId: id } },
      { onSuccess: (bytes) => saveFile(bytes, `statement-${period}-${id}.pdf`, 'application/pdf') },
    )
  return (
    <>
      <button type="button" className="link" disabled={isPending} onClick={download}>
        {isPending ? 'Making the PDF…' : 'Download PDF'}
      </button>
      <ProblemNote error={error} />
    </>
  )
}
