import type { DeliveryAttempt, DeliveryDetail } from '../../../client/src/index.ts'
import { Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { type Moment, TimeLine } from '../../components/display/time-line.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { link, NamedLink } from '../../components/records/record-link.tsx'
import { recordScreen } from '../../components/records/record-page.tsx'
import { count } from '../../data/format.ts'
import { Json } from './components/json.tsx'
import { Message } from './components/message.tsx'
import { deliveryState } from './webhooks.tsx'

/** One delivery: its attempts with their answers, and the request that was sent. */
export const Delivery = recordScreen('delivery', ({ id, record: delivery }) => {
  const { eventType, eventId, endpointId, status, attempts, nextAttemptAt } = delivery
  // A test is no event of the feed and cannot be sent again.
  const isTest = eventType === 'webhookEndpoint.test'
  return {
    name: `Delivery ${id}`,
    title: eventType,
    state: deliveryState(status, attempts),
    main: (
      <>
        <Attempts delivery={delivery} />
        <Sent delivery={delivery} />
      </>
    ),
    history: false,
    details: {
      Endpoint: <NamedLink type="webhookEndpoint" id={endpointId} />,
      [isTest ? 'Test' : 'Event']: link(isTest ? 'test' : 'event', eventId),
      'Next attempt': nextAttemptAt && <Time of={nextAttemptAt} />,
    },
    without: 'all',
  }
})

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
        <Status of={responseStatus} /> <span className="muted">{count(durationMs)} ms</span>{' '}
        {responseStatus === null && error}
      </>
    ),
    more: response && <Json text={response} label={`Answer of ${at}`} />,
  }
}
