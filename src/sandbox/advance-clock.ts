import { type Static, Type } from 'typebox'
import { DURATION_PATTERN } from '../base/calendar.ts'
import { parseInstant } from '../base/clock.ts'
import { invalidRequest } from '../base/problem.ts'
import type { Rule } from '../base/rules.ts'
import { Timestamp } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const AdvanceClockBody = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        description:
          'Time to advance to: an RFC 3339 date-time, a date, or `next` for the first thing that is due after the present bank time',
        examples: ['2027-01-01T00:00:00Z', '2027-01-01', 'next'],
      }),
    ),
    by: Type.Optional(
      Type.String({
        description: 'Duration to advance by',
        pattern: DURATION_PATTERN,
        examples: ['P3D'],
      }),
    ),
  },
  { 'x-rules': [{ rule: 'exactlyOne', members: ['to', 'by'] }] satisfies Rule[] },
)
export type AdvanceClockInput = { to: string } | { by: string } | { toNext: true }

const Happening = Type.Object({ at: Timestamp, type: Type.String(), id: Type.String() }, { $id: 'Happening' })

const ClockAdvance = Type.Object(
  {
    now: Timestamp,
    happened: Type.Array(Happening),
    total: Type.Integer(),
  },
  { $id: 'ClockAdvance' },
)
export type ClockAdvance = Static<typeof ClockAdvance>

/** Sandbox. Moves bank time forward and runs, in order, everything that became due on the way. */
export const advanceClock = sandboxWrite({
  id: 'advanceClock',
  resource: 'sandbox.clock',
  verb: 'advance',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/clock/advance',
  summary: 'Advance clock',
  status: 200,
  scope: 'sandbox:write',
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
