import type { DeliveryAttempt, DeliveryDetail } from '../../../client/src/index.ts'
import { actionForms } from '../../data/actions.ts'
import { useMay } from '../../data/purser.tsx'
import { Action } from '../../parts/actions.tsx'
import { ByApi } from '../../parts/by-api.tsx'
import { Card } from '../../parts/card.tsx'
import { Details } from '../../parts/details.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { RecordLink } from '../../parts/record-link.tsx'
import { State, Status } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { type Moment, TimeLine } from '../../parts/time-line.tsx'
import { Record } from '../record.tsx'
import { Json } from './parts/json.tsx'
import { Message } from './parts/message.tsx'

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
