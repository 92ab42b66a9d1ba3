import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Instant, Word } from '../../base/text.ts'
import { instantIn } from '../endpoints/recover-webhook-endpoint.ts'
import { webhooksWrite } from '../webhooks.ts'

/** Characters of a body; an event is far smaller. */
const MAX_BODY = 200_000

const ReceivedHeaders = Type.Record(Type.String(), Type.String({ maxLength: 8192 }), {
  $id: 'ReceivedHeaders',
  maxProperties: 100,
  description:
    'The headers as they were received, in any letter case. Others than the three of the signature are ignored',
  examples: [
    {
      'webhook-id': 'evt_1000001_42',
      'webhook-timestamp': '1769860800',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  ],
})

const VerifyDeliveryBody = Type.Object(
  {
    headers: ReceivedHeaders,
    body: Type.String({
      maxLength: MAX_BODY,
      // Other texts of requests hold no control characters; this one is judged, whatever it holds.
      'x-raw': true,
      description: 'The body to the byte as it was received, before it was parsed',
      examples: ['{"id":"evt_1000001_42","type":"payment.created"}'],
    }),
    receivedAt: Type.Optional(
      Instant({ description: 'When the request was received, by the clock of the receiver; now if it is absent' }),
    ),
  },
  { description: 'A webhook as a receiver got it' },
)
export interface VerifyDeliveryInput extends Omit<Static<typeof VerifyDeliveryBody>, 'receivedAt'> {
  webhookEndpointId: string
  receivedAt: string | undefined
}

const nullableText = (description: string, example: string) =>
  Type.Union([Type.String({ examples: [example] }), Type.Null()], { description })

export const DeliveryVerdict = Type.Object(
  {
    result: Word(
      [
        'right',
        'clock_skew',
        'body_changed',
        'header_changed',
        'other_secret',
        'unknown_delivery',
        'header_missing',
        'header_malformed',
      ],
      {
        description:
          'right: signature and time are right. clock_skew: only the time is wrong, by more than five minutes. body_changed: another body was signed. header_changed: it was signed with another timestamp. other_secret: the secret is not one of this endpoint now. unknown_delivery: nothing with this id was sent there. header_missing, header_malformed: a header is absent or cannot be read',
      },
    ),
    message: Type.String({
      description: 'The finding in a sentence, for people',
      examples: ['The signature is right.'],
    }),
    deliveryId: nullableText('Id of the delivery that the headers name; null if there is none', 'dlv_1000042_7'),
    skewSeconds: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds from `webhook-timestamp` to the receipt; null if the header cannot be read',
    }),
  },
  { $id: 'DeliveryVerdict', description: 'The finding about the signature of a received webhook' },
)
export type DeliveryVerdict = Static<typeof DeliveryVerdict>

/** Extension. Says why the signature of a received webhook is accepted or refused. */
export const verifyDelivery = webhooksWrite({
  id: 'verifyDelivery',
  resource: 'webhookEndpoints',
  verb: 'verify',
  path: '/v0/webhook-endpoints/:webhookEndpointId/verify',
  summary: 'Verify delivery',
  description: `Takes headers and body as a receiver got them and says whether the signature is right for this endpoint, and why not: the
body was changed on its way, another secret signed, or the clocks differ. During a rotation both secrets count.

Use it to find out why a receiver refuses deliveries, not in place of verifying them. A body that is not right is never
an error: \`result\` says what it is. Nothing changes, and it emits no event.`,
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  body: VerifyDeliveryBody,
  data: DeliveryVerdict,
  problems: ['webhook_endpoint_not_found'],
  run: async ({ webhooks, write }, { params, body }) => {
    const receivedAt = body.receivedAt === undefined ? undefined : instantIn('receivedAt', body.receivedAt)
    return webhooks.verifyDelivery(write, { ...params, ...body, receivedAt })
  },
})
