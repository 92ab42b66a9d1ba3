import { type FormEvent, useId, useState } from 'react'
import type { DeliveryVerdict } from '../../../client/src/index.ts'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { headersIn, webhookHeaders } from '../../data/developers/webhook-headers.ts'
import { useMay, useSend } from '../../data/purser.tsx'

const titles: Record<string, string> = {
  right: 'The signature is right',
  clock_skew: 'The clocks differ',
  body_changed: 'The body was changed',
  header_changed: 'A header was changed',
  other_secret: 'Another secret signed it',
  unknown_delivery: 'No such delivery was sent',
  header_missing: 'A header is missing',
  header_malformed: 'A header cannot be read',
}

/** Says why a receiver refuses a delivery, from the headers and the body that it got. */
export function SignatureDoctor({ endpointId }: { endpointId: string }) {
  const may = useMay('verifyDelivery')
  const id = useId()
  const [headers, setHeaders] = useState('')
  const [body, setBody] = useState('')
  const { mutate, data, error, isPending } = useSend('verifyDelivery')
  if (!may) return null
  const check = (event: FormEvent) => {
    event.preventDefault()
    mutate({ params: { webhookEndpointId: endpointId }, body: { headers: headersIn(headers), body } })
  }
  return (
    <Card title="Signature doctor">
      <form className="stack" onSubmit={check}>
        <p className="muted">
          A receiver refuses deliveries? Paste the headers and the body as it got them, before they were parsed.
        </p>
        <div className="halves">
          <div>
            <label htmlFor={`${id}-headers`}>Headers</label>
            <textarea
              id={`${id}-headers`}
              rows={6}
              spellCheck={false}
              placeholder={webhookHeaders.map((name) => `${name}: …`).join('\n')}
              value={headers}
              onChange={(event) => setHeaders(event.target.value)}
            />
          </div>
          <div>
            <label htmlFor={`${id}-body`}>Body</label>
            <textarea
              id={`${id}-body`}
              rows={6}
              spellCheck={false}
              placeholder={'{"id":"evt_…","type":"payment.created",…}'}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          </div>
        </div>
        <div>
          <button type="submit" disabled={isPending}>
            {isPending ? 'Checking…' : 'Check'}
          </button>
        </div>
        <ProblemNote error={error} />
        {data && <Verdict verdict={data} />}
      </form>
    </Card>
  )
}

function Verdict({ verdict: { result, message, deliveryId, skewSeconds } }: { verdict: DeliveryVerdict }) {
  return (
    <div role="status">
      <b className={result === 'right' ? 'good' : 'bad'}>{titles[result] ?? result}</b>
      <p>{message}</p>
      <p className="muted">
        {deliveryId && (
          <>
            Delivery <RecordLink type="delivery" id={deliveryId} />
          </>
        )}
        {deliveryId && skewSeconds !== null && ' · '}
        {skewSeconds !== null && `Received ${skewSeconds} s after the time in the header`}
      </p>
    </div>
  )
}
