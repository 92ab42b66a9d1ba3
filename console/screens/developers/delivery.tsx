import type { DeliveryAttempt, DeliveryDetail } from '../../../client/src/index.ts'
import { State, Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { type Moment, TimeLine } from '../../components/display/time-line.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Action } from '../../components/forms/actions.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { actionForms } from '../../data/actions.ts'
import { useMay } from '../../data/purser.tsx'
import { Record } from '../record.tsx'
import { Json } from './components/json.tsx'
import { Message } from './components/message.tsx'

/** One delivery: its attempts with their answers, and the request that was sent. */
export function Delivery({ id }: { id: string }) {
  return (
    <Record type="delivery" id={id}>
      {({ record: delivery }) => (
        <>
          <PageTitle
            name={`Delivery ${id}`}
            title={delivery.eventType}
            parent={{ name: 'Webhooks', path: '/webhooks' }}
            id={id}
            actions={<SendAgain delivery={delivery} />}
          >
            <State of={delivery.status} />
          </PageTitle>
          <div className="columns">
            <div>
              <Attempts delivery={delivery} />
              <Sent delivery={delivery} />
              <ByApi title="This delivery by API" operation="getDelivery" input={{ params: { deliveryId: id } }} />
            </div>
            <Facts delivery={delivery} />
          </div>
        </>
      )}
    </Record>
  )
}

function Sent({ delivery: { request } }: { delivery: DeliveryDetail }) {
  if (!request) return null
  return (
    <>
      <Message title="Sent request" aside={<span>of the latest attempt</span>} message={request} />
      {request.body === null && (
        <p className="muted">
          The body is shown to keys with the scope <code>events:read</code>.
        </p>
      )}
    </>
  )
}

/** A test is no event of the feed and cannot be sent again. */
function SendAgain({ delivery: { eventId, eventType } }: { delivery: DeliveryDetail }) {
  const may = useMay('redeliverEvent')
  const form = actionForms.redeliverEvent
  if (!may || !form || eventType === 'webhookEndpoint.test') return null
  return <Action operation="redeliverEvent" form={form} target={{ eventId }} refusal={null} />
}

function Facts({ delivery }: { delivery: DeliveryDetail }) {
  const { endpointId, eventId, eventType, createdAt, nextAttemptAt } = delivery
  const isTest = eventType === 'webhookEndpoint.test'
  return (
    <Card title="Details">
      <Details
        items={[
          ['Endpoint', <RecordLink key="endpoint" type="webhookEndpoint" id={endpointId} />],
          [isTest ? 'Test' : 'Event', <RecordLink key="event" type={isTest ? 'test' : 'event'} id={eventId} />],
          ['Created', <Time key="at" of={createdAt} />],
          ['Next attempt', nextAttemptAt && <Time key="next" of={nextAttemptAt} />],
        ]}
      />
    </Card>
  )
}

function Attempts({ delivery: { attempts } }: { delivery: DeliveryDetail }) {
  return (
    <Card title="Attempts" aside={<span>newest last · real time</span>}>
      {attempts.length === 0 ? (
        <Empty title="No attempt yet">
          <p>Deliveries to one endpoint wait while earlier ones are repeated.</p>
        </Empty>
      ) : (
        <TimeLine moments={attempts.map(momentOf)} />
      )}
    </Card>
  )
}

function momentOf({ at, responseStatus, durationMs, error, response }: DeliveryAttempt): Moment {
  return {
    key: at,
    kind: 'out',
    at,
    real: true,
    title: (
      <>
        <Status of={responseStatus} /> <span className="muted">{durationMs} ms</span> {responseStatus === null && error}
      </>
    ),
    more: response && <Json text={response} label={`Answer of ${at}`} />,
  }
}
