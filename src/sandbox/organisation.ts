import { type Static, Type } from 'typebox'
import { IssuedApiKey } from '../access/api-key.ts'
import { instantIn } from '../base/clock.ts'
import { RecordId } from '../base/ids.ts'
import { Problem } from '../base/problem.ts'
import { Instant, Timestamp } from '../base/text.ts'

const record = {
  id: RecordId('Id of the organisation'),
  name: Type.String({ description: 'Name of the organisation; it need not be unique', examples: ['Checkout test'] }),
  createdAt: Type.Unsafe<string>({
    ...Timestamp,
    description: 'Bank time at which the clock of the organisation started',
  }),
  frozen: Type.Boolean({ description: 'Whether bank time stands still and moves only when it is advanced' }),
}

export const SandboxOrganisation = Type.Object(record, {
  $id: 'SandboxOrganisation',
  description: 'An organisation of a sandbox: a tenant with its own records and clock',
})
export type SandboxOrganisation = Static<typeof SandboxOrganisation>

/** An organisation that was just made, with its first key. */
export const CreatedOrganisation = Type.Object(
  { ...record, apiKey: IssuedApiKey },
  {
    $id: 'CreatedOrganisation',
    description: 'A new organisation with its first API key',
  },
)
export type CreatedOrganisation = Static<typeof CreatedOrganisation>

/** The clock of a new organisation, in a request. */
export const clockMembers = {
  now: Type.Optional(
    Instant({
      description: 'Bank time at which the clock starts, from 2000 to 2999; the present by default',
      examples: ['2026-01-31T12:00:00Z', '2026-01-31'],
    }),
  ),
  frozen: Type.Optional(
    Type.Boolean({ description: 'Whether the clock stands still until it is advanced; it runs by default' }),
  ),
}

/** The clock that a new organisation starts with. */
export interface StartingClock {
  /** Null for the present. */
  now: string | null
  frozen: boolean
}

export function startingClock({ now, frozen = false }: { now?: string; frozen?: boolean }): StartingClock {
  if (now === undefined) return { now: null, frozen }
  const instant = instantIn('now', now)
  if (instant < '2000' || instant >= '3000') throw new Problem('clock_out_of_range')
  return { now: instant, frozen }
}
