import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { Related } from '../../../components/records/related.tsx'
import { month } from '../../../data/format.ts'
import { Record } from '../../record.tsx'
import { DownloadPdf, StatementPreview } from './statement-preview.tsx'

/** One statement: its document, and the account and month that it covers. */
export function Statement({ id }: { id: string }) {
  return (
    <Record type="statement" id={id}>
      {({ record, related }) => {
        const { period, accountId, customerId } = record
        const list = `/statements?${new URLSearchParams({ accountId, statement: id })}`
        return (
          <>
            <PageTitle
              name={`Statement of ${month(period)}`}
              title={month(period)}
              parent={{ name: 'Statements', path: list }}
              id={id}
            />
            <div className="columns">
              <div>
                <Card title="Statement" aside={<DownloadPdf statement={record} />} flush>
                  <StatementPreview statement={record} />
                </Card>
                <History type="statement" id={id} />
                <ByApi
                  title="This statement by API"
                  operation="getStatementPdf"
                  input={{ params: { statementId: id } }}
                />
              </div>
              <div>
                <Card title="Details">
                  <Details
                    items={[
                      [
                        'Id',
                        <span key="id" className="mono">
                          {id}
                        </span>,
                      ],
                      ['Month', month(period)],
                      ['Account', <RecordLink key="account" type="account" id={accountId} />],
                      ['Customer', <RecordLink key="customer" type="customer" id={customerId} />],
                    ]}
                  />
                </Card>
                <Related related={related.filter(({ type }) => type !== 'account')} />
              </div>
            </div>
          </>
        )
      }}
    </Record>
  )
}
