import type { Application as ApplicationRecord, Document, LookedUpApplication } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { Related } from '../../../components/records/related.tsx'
import { words } from '../../../data/format.ts'
import { useCall, useSession } from '../../../data/purser.tsx'
import { StateMachine } from '../../../pictures/state-machine.tsx'
import { Record, targetOf } from '../../record.tsx'
import styles from './application.module.css'
import { Upload } from './upload.tsx'

/** One application: its state, what it waits for, its documents, and the decision. */
export function Application({ id }: { id: string }) {
  return (
    <Record type="application" id={id}>
      {(found) => <ApplicationScreen found={found} />}
    </Record>
  )
}

function ApplicationScreen({ found }: { found: LookedUpApplication }) {
  const { id, record, related, actions } = found
  return (
    <>
      <PageTitle
        name={`Application of ${record.name}`}
        title={record.name}
        parent={{ name: 'Applications', path: '/applications' }}
        id={id}
        actions={<Actions actions={actions} target={targetOf(found)} />}
      >
        <State of={record.status} />
      </PageTitle>
      <div className="columns">
        <div>
          <Card title="State">
            <StateMachine {...machineOf(record)} />
            <p className={styles.next}>
              <Next record={record} />
            </p>
          </Card>
          <Documents record={record} />
          <History type="application" id={id} />
          <ByApi title="This application by API" operation="getApplication" input={{ params: { applicationId: id } }} />
        </div>
        <div>
          <ApplicationDetails record={record} />
          <Related related={related.filter(({ type }) => type !== 'document' && type !== 'customer')} />
        </div>
      </div>
    </>
  )
}

const tones = { Approved: 'good', Denied: 'bad', Canceled: 'bad' } as const

function machineOf({ status, documents }: ApplicationRecord) {
  const before = [...(documents.length > 0 ? ['AwaitingDocuments'] : []), 'PendingReview']
  const end = status === 'Denied' || status === 'Canceled' ? status : 'Approved'
  const way = [...before, end]
  const known = way.includes(status) ? way : [status, ...way]
  return { way: known, present: status, tone: tones[status as keyof typeof tones] ?? 'warn' }
}

/** The step that the application waits for. */
function Next({ record: { status, documents, customerId } }: { record: ApplicationRecord }) {
  const missing = documents.filter((each) => ['Required', 'Invalid'].includes(each.status))
  if (customerId) {
    return (
      <>
        Approved as <RecordLink type="customer" id={customerId}>{`customer ${customerId}`}</RecordLink>.
      </>
    )
  }
  if (status === 'Denied') return 'Denied. The person may apply again.'
  if (missing.length > 0)
    return `Missing: ${missing.map(({ documentType }) => words(documentType).toLowerCase()).join(', ')}.`
  return status === 'PendingReview' ? 'Complete. It waits for a decision.' : null
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
export function DocumentActions({ applicationId, documentId }: { applicationId: string; documentId: string }) {
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

function ApplicationDetails({ record }: { record: ApplicationRecord }) {
  const { id, name, email, customerId, createdAt } = record
  return (
    <Card title="Details">
      <Details
        items={[
          [
            'Id',
            <span key="id" className="mono">
              {id}
            </span>,
          ],
          ['Applicant', name],
          ['E-mail', email],
          ['Customer', customerId && <RecordLink key="customer" type="customer" id={customerId} />],
          ['Created', <Time key="at" of={createdAt} />],
        ]}
      />
    </Card>
  )
}
