import { type Static, Type } from 'typebox'
import { Timestamp } from '../base/text.ts'
import { sandboxRead } from './sandbox.ts'

const Clock = Type.Object({ now: Timestamp }, { $id: 'Clock' })
export type Clock = Static<typeof Clock>

/** Sandbox. Reads the organisation's bank time. */
export const getClock = sandboxRead({
  id: 'getClock',
  area: 'sandbox',
  method: 'GET',
  path: '/v0/sandbox/clock',
  summary: 'Get clock',
  status: 200,
  scope: 'sandbox:write',
  data: Clock,
  problems: [],
  run: ({ sandbox, caller }) => sandbox.getClock(caller),
})
