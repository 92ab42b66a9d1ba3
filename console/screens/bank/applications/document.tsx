import { State } from '../../../components/display/state.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { words } from '../../../data/format.ts'
import { Record } from '../../record.tsx'
import { DocumentActions } from './application.tsx'

/** One document of an application: its state, the upload and the review. */
export function DocumentScreen({ id }: { id: string }) {
  return (
    <Record type="document" id={id}>
      {({ record: { documentType, status, description }, related }) => {
        const application = related.find(({ type }) => type === 'application')
        return (
          <>
            <PageTitle
              name={`Document ${id}`}
              title={words(documentType)}
              parent={{ name: 'Applications', path: '/applications' }}
              id={id}
              actions={application && <DocumentActions applicationId={application.id} documentId={id} />}
            >
              <State of={status} />
            </PageTitle>
            <div className="columns">
              <div>
                <History type="document" id={id} />
                {application && (
                  <ByApi
                    title="Its application by API"
                    operation="getApplication"
                    input={{ params: { applicationId: application.id } }}
                  />
                )}
              </div>
              <Card title="Details">
                <Details
                  items={[
                    [
                      'Id',
                      <span key="id" className="mono">
                        {id}
                      </span>,
                    ],
                    ['Kind', words(documentType)],
                    ['Description', description],
                    [
                      'Application',
                      application && <RecordLink key="application" type="application" id={application.id} />,
                    ],
                  ]}
                />
              </Card>
            </div>
          </>
        )
      }}
    </Record>
  )
}
