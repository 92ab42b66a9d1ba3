import type { Payment as PaymentRecord } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Actions } from '../../components/forms/actions.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { History } from '../../components/records/history.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { Related } from '../../components/records/related.tsx'
import { date, dateTime, money } from '../../data/format.ts'
import { paymentWay } from '../../data/payment-way.ts'
import { useCall } from '../../data/purser.tsx'
import { StateMachine } from '../../pictures/state-machine.tsx'
import { Record, targetOf } from '../record.tsx'

/** One payment: its state, its history and its operations. */
export function Payment({ id }: { id: string }) {
  return (
    <Record type="payment" id={id}>
      {(found) => {
        const { record, related, actions } = found
        const { amount, counterparty, status, direction, type, description, createdAt } = record
        const account = related.find((each) => each.type === 'account')
        return (
          <>
            <PageTitle
              name={`Payment ${id}`}
              title={money(amount)}
              parent={{ name: 'Payments', path: '/payments' }}
              id={id}
              actions={<Actions actions={actions} target={targetOf(found)} />}
            >
              <span>
                {direction === 'Debit' ? 'from' : 'to'} <b>{counterparty.name}</b>
              </span>
              <State of={status} />
            </PageTitle>
            <div className="columns">
              <div>
                <Card title="State">
                  <StateMachine {...paymentWay(record)} />
                </Card>
                <History type="payment" id={id} />
                <ByApi title="This payment by API" operation="getPayment" input={{ params: { paymentId: id } }} />
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
                      ['Type', type === 'achPayment' ? `ACH ${direction.toLowerCase()}` : 'Book payment'],
                      ['Description', description],
                      ['From', account && <AccountLink key="from" id={account.id} />],
                      ['To', `${counterparty.name} ··${counterparty.accountNumber.slice(-4)}`],
                      [
                        'Routing number',
                        <span key="routing" className="mono">
                          {counterparty.routingNumber}
                        </span>,
                      ],
                      ...railFacts(record),
                      ['Reason of the reviewer', record.reason],
                      [
                        'Created',
                        <time key="at" title={createdAt}>
                          {dateTime(createdAt)}
                        </time>,
                      ],
                    ]}
                  />
                </Card>
                <Related related={related} />
              </div>
            </div>
          </>
        )
      }}
    </Record>
  )
}

/** The members that a payment has only if it leaves with an ACH file. */
function railFacts({
  sameDay,
  secCode,
  traceNumber,
  settlementDate,
  expectedCompletionDate,
  returnCode,
  returnReason,
}: PaymentRecord) {
  return [
    ['Same day', sameDay && 'Yes'],
    ['SEC code', secCode],
    [
      'Trace number',
      traceNumber && (
        <span key="trace" className="mono">
          {traceNumber}
        </span>
      ),
    ],
    ['Expected', !settlementDate && expectedCompletionDate && date(expectedCompletionDate)],
    ['Settlement day', settlementDate && date(settlementDate)],
    ['Returned because', returnReason],
    ['Return code', returnCode],
  ] as const
}

/** The account by its holder and its last four digits. */
function AccountLink({ id }: { id: string }) {
  const { data } = useCall('getAccount', { params: { accountId: id } })
  return (
    <RecordLink type="account" id={id}>
      {data ? `${data.name} ··${data.accountNumber.slice(-4)}` : id}
    </RecordLink>
  )
}
