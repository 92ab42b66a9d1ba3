import { type Static, Type } from 'typebox'
import { DURATION_PATTERN } from '../base/calendar.ts'
import { parseInstant } from '../base/clock.ts'
import { invalidRequest } from '../base/problem.ts'
import type { Rule } from '../base/rules.ts'
import { described, Instant, Timestamp } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const AdvanceClockBody = Type.Object(
  {
    to: Type.Optional(
      Instant({
        description:
          'Time to advance to: an RFC 3339 date-time, a date, or `next` for the first thing but webhooks that is due after the present bank time. Either this or `by`',
        examples: ['2027-01-01T00:00:00Z', '2027-01-01', 'next'],
        words: ['next'],
      }),
    ),
    by: Type.Optional(
      Type.String({
        description: 'Duration to advance by, in the form of ISO 8601. Either this or `to`',
        pattern: DURATION_PATTERN,
        examples: ['P3D'],
      }),
    ),
  },
  {
    description: 'The time to advance to, or the duration; at most 400 days ahead',
    'x-rules': [
      { rule: 'exactlyOne', members: ['to', 'by'] },
      { rule: 'step', members: ['to', 'by'], maxDays: 400 },
    ] satisfies Rule[],
  },
)
export type AdvanceClockInput = { to: string } | { by: string } | { toNext: true }

const Happening = Type.Object(
  {
    at: described(Timestamp, 'Bank time at which it was due'),
    type: Type.String({ description: 'Type of the event that it caused', examples: ['statement.created'] }),
    id: Type.String({ description: 'Id of the record that changed', examples: ['1000042'] }),
  },
  { $id: 'Happening', description: 'Work that became due while the clock advanced' },
)

const ClockAdvance = Type.Object(
  {
    now: described(Timestamp, 'Bank time after the advance'),
    happened: Type.Array(Happening, { description: 'The first 1,000 things that happened, in order' }),
    total: Type.Integer({ description: 'Number of things that happened, with those that are not listed' }),
  },
  { $id: 'ClockAdvance', description: 'The result of an advance of the clock' },
)
export type ClockAdvance = Static<typeof ClockAdvance>

/** Sandbox. Moves bank time forward and runs, in order, everything that became due on the way. */
export const advanceClock = sandboxWrite({
  id: 'advanceClock',
  resource: 'sandbox.clock',
  verb: 'advance',
  path: '/v0/sandbox/clock/advance',
  summary: 'Advance clock',
  description:
    'Moves the bank time of the organisation forward and does in order what becomes due on the way: authorizations and holds expire, months end with their statements, rewards are paid, webhooks are retried. `happened` lists it. `{"to": "next"}` goes to the next thing that is due, not counting webhooks.\n\nA time that lies in the past is refused with `clock_not_forward`; `next` with nothing due, with `nothing_upcoming`. Bank time cannot be set back; `POST /v0/sandbox/reset` starts again with an empty bank.\n\nEmits the events of everything that happened, such as `authorization.canceled`, `statement.created` and `reward.paid`.',
  body: AdvanceClockBody,
  data: ClockAdvance,
  problems: ['clock_not_forward', 'nothing_upcoming'],
  run: async ({ sandbox, write }, { body }) => sandbox.advanceClock(write, targetOf(body)),
})

function targetOf({ to, by }: Static<typeof AdvanceClockBody>): AdvanceClockInput {
  if (to === undefined) return { by: by ?? '' }
  if (to === 'next') return { toNext: true }
  const instant = parseInstant(to)
  if (instant !== undefined) return { to: instant }
  const message = 'to must be an RFC 3339 date-time, YYYY-MM-DD or next'
  throw invalidRequest([{ pointer: '/to', code: 'bad_format', message }])
}
