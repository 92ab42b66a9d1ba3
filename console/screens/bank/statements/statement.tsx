import { Card } from '../../../components/layout/card.tsx'
import { ShortList } from '../../../components/lists/list-screen.tsx'
import { AccountLink, CustomerLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { month } from '../../../data/format.ts'
import { statements } from '../lists.tsx'
import { DownloadPdf, StatementPreview } from './statement-preview.tsx'

/** One statement: its document, and the account and month that it covers. */
export const Statement = recordScreen('statement', ({ record }) => {
  const { period, accountId, customerId } = record
  return {
    name: `Statement of ${month(period)}`,
    title: month(period),
    beside: <AccountLink id={accountId} />,
    parent: { name: 'Statements', path: `/statements?${new URLSearchParams({ accountId })}` },
    main: (
      <Card title="Statement" aside={<DownloadPdf statement={record} />} flush>
        <StatementPreview statement={record} />
      </Card>
    ),
    details: {
      Month: month(period),
      Account: <AccountLink id={accountId} />,
      Customer: <CustomerLink id={customerId} />,
    },
    side: (
      <ShortList
        of={statements}
        title="Months of the account"
        where={{ accountId }}
        columns={['Month']}
        none="This is the only one."
        shown={12}
      />
    ),
    without: ['account', 'customer'],
  }
})
