import type { ClockAdvance } from '../../client/src/index.ts'
import { UsageError } from '../../ground/failure.ts'
import type { Call, Command } from '../command.ts'

export const clock: Command = {
  path: 'clock',
  summary: 'Shows bank time and what is due next, or advances it',
  group: 'Develop',
  examples: [{ run: 'purser clock', does: 'Shows bank time and the next things that are due' }],
  run: async ({ purser, out }) => {
    const { now, frozen, upcoming } = await purser().sandbox.clock.get()
    if (!out.forPeople) return out.record({ now, frozen, upcoming })
    out.record({ now, frozen })
    if (upcoming.length > 0) out.line('')
    const lines = upcoming.map(({ at, type, id, count }) => ({ at, type: count > 1 ? `${type} × ${count}` : type, id }))
    return out.records(lines)
  },
}

export const clockAdvance: Command = {
  path: 'clock advance',
  summary: 'Advances bank time by a duration',
  group: 'Develop',
  arguments: [{ name: 'duration', description: 'ISO 8601, such as P3D or PT12H' }],
  examples: [{ run: 'purser clock advance P3D', does: 'Advances bank time by three days' }],
  run: async (call) => {
    const [by = ''] = call.args
    // The service decides about the rest; these have no letter P.
    if (!/^P/.test(by)) throw new UsageError(`duration takes ISO 8601, such as P3D or PT12H; not ${by}`)
    return show(call, await call.purser().sandbox.clock.advance({ by }))
  },
}

export const clockTo: Command = {
  path: 'clock to',
  summary: 'Advances bank time to a time',
  group: 'Develop',
  arguments: [{ name: 'time', description: 'A date or an RFC 3339 date-time' }],
  examples: [{ run: 'purser clock to "$SOME_DAY"', does: 'Advances bank time to a date, such as 2027-01-31' }],
  run: async (call) => show(call, await call.purser().sandbox.clock.advance({ to: call.args[0] })),
}

export const clockNext: Command = {
  path: 'clock next',
  summary: 'Advances bank time to the next thing that is due',
  group: 'Develop',
  examples: [{ run: 'purser clock next', does: 'Advances to the next due thing and shows what happened' }],
  run: async (call) => show(call, await call.purser().sandbox.clock.advance({ to: 'next' })),
}

async function show({ out }: Call, advance: ClockAdvance): Promise<void> {
  if (!out.forPeople) return out.record(advance)
  out.record({ now: advance.now, happened: advance.total })
  if (advance.happened.length > 0) out.line('')
  await out.records(advance.happened)
}
