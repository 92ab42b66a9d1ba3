import type { ReviewApplication } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Create } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { date, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { DocumentFile } from './document-file.tsx'
import { ReviewHead } from './queues.tsx'
import styles from './review.module.css'

const PAGE = 20

/** The applications that are not decided, oldest first. */
export function ReviewApplications() {
  const may = useMay('listReviewApplications')
  const { rows, error, isPending, hasMore, isReadingMore, readMore } = useList('listReviewApplications', {
    query: { limit: PAGE },
  })
  return (
    <>
      <ReviewHead />
      <ProblemNote error={error} />
      {!may && <Unavailable title="Applications" scope="review:write" absent="Only the built-in bank has reviews." />}
      {isPending && <Reading lines={6} />}
      {!isPending && !error && may && rows.length === 0 && (
        <Card title="Applications" bare>
          <Empty title="No application waits">
            <p>
              With <code>PURSER_REVIEW=manual</code> every application waits here for a decision.
            </p>
          </Empty>
        </Card>
      )}
      {rows.map((application) => (
        <Waiting key={application.id} application={application} />
      ))}
      {hasMore && (
        <button type="button" onClick={readMore} disabled={isReadingMore}>
          {isReadingMore ? 'Reading…' : 'Show more'}
        </button>
      )}
    </>
  )
}

function Waiting({ application }: { application: ReviewApplication }) {
  const { id, name, status, createdAt, documents } = application
  const waitsForDocument = documents.some((each) => ['Required', 'Invalid', 'PendingReview'].includes(each.status))
  return (
    <Card
      title={name}
      aside={
        <span className="row">
          <State of={status} />
          <span className="muted">
            <Time of={createdAt} />
          </span>
        </span>
      }
    >
      <div className={`halves ${styles.facts}`}>
        <div>
          <Person application={application} />
          <SamePeople application={application} />
        </div>
        <Documents application={application} />
      </div>
      <div className={styles.decision}>
        {(['approveReviewApplication', 'denyReviewApplication'] as const).map((operation) => (
          <Create key={operation} operation={operation} target={{ applicationId: id }} />
        ))}
        {!waitsForDocument && <Create operation="requestReviewDocument" target={{ applicationId: id }} />}
        <RecordLink type="application" id={id}>
          Open the application
        </RecordLink>
      </div>
    </Card>
  )
}

function Person({ application }: { application: ReviewApplication }) {
  const { email, phone, dateOfBirth, ssnLastDigits, address, screening } = application
  const { street, city, state, postalCode } = address
  return (
    <Details
      of={{
        Born: date(dateOfBirth),
        'Social security number': `··· ·· ${ssnLastDigits}`,
        Address: `${street}, ${city}, ${state} ${postalCode}`,
        'E-mail': email,
        Phone: phone,
        Screening: screening && words(screening),
      }}
    />
  )
}

/** Other records with the same data: the same person may be a customer already. */
function SamePeople({ application: { samePeople } }: { application: ReviewApplication }) {
  if (samePeople.length === 0) return null
  return (
    <ul className={styles.documents} aria-label="Same data elsewhere">
      {samePeople.map(({ type, id, name, status, on }) => (
        <li key={id} className="row">
          <RecordLink type={type} id={id}>
            {name}
          </RecordLink>
          <State of={status} />
          <span className="muted">same {on.map((what) => sameWords[what]).join(', ')}</span>
        </li>
      ))}
    </ul>
  )
}

const sameWords = { ssn: 'social security number', email: 'e-mail', phone: 'phone', address: 'address' }

function Documents({ application: { documents } }: { application: ReviewApplication }) {
  if (documents.length === 0) return <p className="muted">No document was asked for.</p>
  return (
    <ul className={styles.documents}>
      {documents.map(({ id, documentType, status, files }) => (
        <li key={id}>
          <div className="row">
            <b>{words(documentType)}</b>
            <State of={status} />
          </div>
          <div className="row">
            {files.map(({ side, contentType }) => (
              <DocumentFile key={side} documentId={id} side={side} contentType={contentType} />
            ))}
            {status === 'PendingReview' &&
              (['approveReviewDocument', 'rejectReviewDocument'] as const).map((operation) => (
                <Create key={operation} operation={operation} target={{ documentId: id }} />
              ))}
          </div>
        </li>
      ))}
    </ul>
  )
}
