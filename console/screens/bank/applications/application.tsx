import { Link } from 'wouter'
import type { Application as ApplicationRecord, Document } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { CustomerLink, RecordLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { Stopped } from '../../../components/records/stopped.tsx'
import { words } from '../../../data/format.ts'
import { useCall, useMay, useSession } from '../../../data/purser.tsx'
import styles from './application.module.css'
import { Upload } from './upload.tsx'

/** One application: its state, what it waits for, its documents, and the decision. */
export const Application = recordScreen('application', ({ id, record }) => ({
  name: `Application of ${record.name}`,
  title: record.name,
  state: record.status,
  first: <StateReason id={id} record={record} />,
  way: wayOf(record),
  next: record.customerId && (
    <p className={styles.next}>
      Approved as <CustomerLink id={record.customerId} />.
    </p>
  ),
  main: <Documents record={record} />,
  details: {
    Applicant: record.name,
    'E-mail': record.email,
    Customer: record.customerId && <CustomerLink id={record.customerId} />,
  },
  without: ['document', 'customer'],
}))

const tones = { Approved: 'good', Denied: 'bad', Canceled: 'bad' } as const

function wayOf({ status, documents }: ApplicationRecord) {
  const before = [...(documents.length > 0 ? ['AwaitingDocuments'] : []), 'PendingReview']
  const end = status === 'Denied' || status === 'Canceled' ? status : 'Approved'
  const way = [...before, end]
  const known = way.includes(status) ? way : [status, ...way]
  return { way: known, present: status, tone: tones[status as keyof typeof tones] ?? 'warn' }
}

/** Why the application was denied or what it waits for, and the next step. */
function StateReason({ id, record: { status, documents } }: { id: string; record: ApplicationRecord }) {
  const of = { type: 'application', id, status } as const
  const missing = documents.filter((each) => ['Required', 'Invalid'].includes(each.status))
  const names = missing.map(({ documentType }) => words(documentType).toLowerCase()).join(', ')
  const mayReview = useMay('listReviewApplications')
  if (status === 'Denied')
    return <Stopped {...of} tone="bad" title="Denied" next="Nobody became a customer. The person may apply again." />
  if (missing.length > 0) {
    const next = 'The applicant uploads it, or you do below. It goes on by itself then.'
    return <Stopped {...of} tone="warn" title={`Waits for a document: ${names}`} next={next} />
  }
  if (status !== 'PendingReview') return null
  return (
    <Stopped
      {...of}
      tone="warn"
      title="Waits for a decision"
      next="All documents are there. A reviewer looks at the person and decides."
      actions={mayReview && <Link href="/review">Review</Link>}
    />
  )
}

function Documents({ record: { id, documents } }: { record: ApplicationRecord }) {
  return (
    <Card title="Documents" flush>
      {documents.length === 0 && <p className={styles.none}>The application needs no document.</p>}
      <ul className={styles.documents}>
        {documents.map((document) => (
          <DocumentRow key={document.id} applicationId={id} document={document} />
        ))}
      </ul>
    </Card>
  )
}

function DocumentRow({ applicationId, document }: { applicationId: string; document: Document }) {
  const { id, documentType, status, description } = document
  return (
    <li>
      <div className="row">
        <RecordLink type="document" id={id}>
          {words(documentType)}
        </RecordLink>
        <State of={status} />
      </div>
      <p className="muted">{description}</p>
      <div className="row">
        <DocumentActions applicationId={applicationId} documentId={id} />
      </div>
    </li>
  )
}

/** The upload and the review of a document. */
function DocumentActions({ applicationId, documentId }: { applicationId: string; documentId: string }) {
  const { me } = useSession()
  const { data } = useCall('lookUpRecord', { params: { type: 'document', id: documentId } })
  if (!data) return null
  const actions = data.actions.filter(({ operation }) => me.operations.includes(operation))
  return (
    <>
      <Upload applicationId={applicationId} documentId={documentId} actions={actions} />
      <Actions actions={actions} target={{ applicationId, documentId }} />
    </>
  )
}

/** One document of an application: its state, the upload and the review. */
export const DocumentScreen = recordScreen('document', ({ id, record, related, actions }) => {
  const application = related.find(({ type }) => type === 'application')
  return {
    name: `Document ${id}`,
    title: words(record.documentType),
    state: record.status,
    target: { documentId: id },
    buttons: application && <Upload applicationId={application.id} documentId={id} actions={actions} />,
    details: {
      Kind: words(record.documentType),
      Description: record.description,
      Application: application && <RecordLink type="application" id={application.id} />,
    },
    without: 'all',
  }
})
