import { concurrencyLimit } from '../../../base/concurrency-limit.ts'
import { invalidRequest, Problem } from '../../../base/problem.ts'
import type { Queryable } from '../../../database/database.ts'
import type { ClockAdvance } from '../../../sandbox/advance-clock.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import {
  bankTime,
  bankTimes,
  clockLock,
  clockTarget,
  findAdvance,
  moveClock,
  pauseWithoutLimit,
  recordAdvance,
  tryClockLock,
} from './clock.sql.ts'

/** Something that happened because its time had come. */
export type Happening = ClockAdvance['happened'][number]

/** The next thing of one kind that its time will bring about. */
interface Due {
  at: string
  run(happened: (what: Happening) => void): Promise<void>
}

/** A kind of thing that comes due: it answers the next one of an organisation. */
export type Timer = (organisationId: number) => Promise<Due | undefined>

export interface BankClock extends Pick<Sandbox, 'getClock' | 'advanceClock'> {
  /** Does what has become due in every organisation. */
  catchUp(): Promise<void>
}

const MAX_SHOWN = 1_000
/** An advance keeps a connection while others do its work: were all of them kept, none could. */
const MAX_ADVANCING = 3

export function clockOf({ database, runOnce }: BankParts, timers: Timer[]): BankClock {
  const inTurn = concurrencyLimit({ total: MAX_ADVANCING, perOrganisation: 1 })

  /** Steps from due thing to due thing, so that each happens at its own time. */
  async function runDue(organisationId: number, until: string, happened: (what: Happening) => void): Promise<void> {
    for (;;) {
      const all = await Promise.all(timers.map((timer) => timer(organisationId)))
      const [next] = all.filter((due) => due !== undefined).sort((a, b) => (a.at < b.at ? -1 : 1))
      if (!next || next.at > until) return
      await moveClock(database, organisationId, next.at)
      await next.run(happened)
    }
  }

  return {
    async getClock({ organisationId }) {
      return { now: await bankTime(database, organisationId) }
    },

    advanceClock(write, input) {
      const { organisationId } = write.caller
      // The same key with another wish is another attempt.
      const attempt = Buffer.concat([write.key.hash, write.key.fingerprint])

      async function advance(transaction: Queryable): Promise<ClockAdvance> {
        await clockLock(transaction, organisationId)
        await pauseWithoutLimit(transaction)
        const target = (await findAdvance(transaction, organisationId, attempt)) ?? (await newTarget())
        await recordAdvance(database, organisationId, target, attempt)
        const happened: Happening[] = []
        let total = 0
        await runDue(organisationId, target, (what) => {
          total++
          if (happened.length < MAX_SHOWN) happened.push(what)
        })
        await moveClock(database, organisationId, target)
        return { now: await bankTime(database, organisationId), happened, total }
      }

      async function newTarget(): Promise<string> {
        const now = await bankTime(database, organisationId)
        const wish = 'to' in input ? { to: input.to, by: null } : { to: null, by: input.by }
        const { to, forward, tooFar } = await clockTarget(database, now, wish)
        if (!forward) throw new Problem('clock_not_forward')
        if (!tooFar) return to
        const message = 'the clock advances by at most 400 days a call'
        const pointer = 'to' in input ? '/to' : '/by'
        throw invalidRequest([{ pointer, code: 'out_of_range', message }])
      }

      return inTurn(organisationId, () => runOnce.transaction(write, advance))
    },

    async catchUp() {
      for (const { organisationId, now } of await bankTimes(database)) {
        await database.transaction(async (transaction) => {
          if (!(await tryClockLock(transaction, organisationId))) return
          await pauseWithoutLimit(transaction)
          await runDue(organisationId, now, () => undefined)
        })
      }
    },
  }
}
