import { type Static, Type } from 'typebox'
import { Timestamp, Word } from '../base/text.ts'
import { sandboxRead } from './sandbox.ts'

/** Kinds of work that bank time brings. */
const upcomingTypes = [
  'authorization.canceled',
  'accountHold.expired',
  'month.ended',
  'reward.paid',
  'webhook.delivered',
  'payment.clearing',
  'achBatch.settled',
  'achFile.answered',
  'receivedPayment.completed',
  'receivedPayment.returning',
  'recurringPayment.run',
  'externalAccount.verifying',
  'externalAccount.verified',
  'externalAccount.verificationFailed',
  'proposal.expired',
] as const

const Upcoming = Type.Object(
  {
    at: Type.Unsafe<string>({ ...Timestamp, description: 'Bank time at which it is due' }),
    type: Word(upcomingTypes, {
      description:
        'The thing that is due, such as an authorization that expires, the end of a month with its statements, the payout of a reward, a webhook, a payment that leaves with an ACH file, or the next run of a recurring payment',
    }),
    id: Type.String({
      description: 'Id of the record; the month as YYYY-MM',
      examples: ['1000001', '2026-01'],
    }),
    count: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description:
        'Number of things: the pending deliveries to one endpoint, of which `id` is the next, are one line. At most 1,000 are counted',
      examples: [1],
    }),
  },
  { $id: 'Upcoming', description: 'Work that becomes due when bank time reaches it' },
)
export type Upcoming = Static<typeof Upcoming>

const Clock = Type.Object(
  {
    now: Type.Unsafe<string>({ ...Timestamp, description: 'Bank time' }),
    frozen: Type.Boolean({ description: 'Whether bank time stands still and moves only when it is advanced' }),
    upcoming: Type.Array(Upcoming, { description: 'The next 20 things that are due, the earliest first' }),
  },
  { $id: 'Clock', description: 'The clock of an organisation' },
)
export type Clock = Static<typeof Clock>

/** Sandbox. Reads the organisation's bank time. */
export const getClock = sandboxRead({
  id: 'getClock',
  resource: 'sandbox.clock',
  verb: 'get',
  path: '/v0/sandbox/clock',
  summary: 'Get clock',
  description:
    'Reads the bank time of the organisation, whether it stands still, and what it brings next: expiries of authorizations and holds, the end of the month, payouts of rewards, webhooks by endpoint, the runs of recurring payments, and the cut-offs, settlements and answers of ACH files, those of returns included. `POST /v0/sandbox/clock/advance` with `{"to": "next"}` goes to the first of them that lies ahead, webhooks left out.',
  data: Clock,
  problems: [],
  run: ({ sandbox, caller }) => sandbox.getClock(caller),
})
