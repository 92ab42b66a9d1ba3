import { hash } from 'node:crypto'
import { clock } from '../../base/clock.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { Database } from '../../database/database.ts'
import type { Scenario } from '../../sandbox/create-scenario.ts'
import type { Simulations } from '../../sandbox/sandbox.ts'
import { bankTime, pauseWithoutLimit } from '../time/clock.sql.ts'
import { type Plot, plotOf } from './scenario-plot.ts'
import { playScenario, type Story } from './scenario-story.ts'

export interface Scenarios extends Pick<Simulations, 'createScenario'> {
  /** The scenario of the first start, played from the organisation's clock up to the present. */
  createDemo(write: Write<Scenario>): Promise<Answer>
}

/** A scenario holds one connection while its steps take others: if scenarios held all ten, none could go on. */
const MAX_PLAYING = 3
const DAY_MS = 86_400_000

export function scenariosOf(tools: Pick<Story, 'parts' | 'bank' | 'sandbox' | 'records'>): Scenarios {
  const { database, runOnce } = tools.parts
  const inTurn = concurrencyLimit({ total: MAX_PLAYING, perOrganisation: 1 })

  function create(write: Write<Scenario>, plot: Plot, has: Pick<Story, 'asDemo' | 'debits'>): Promise<Answer> {
    const { organisationId } = write.caller
    const story: Story = {
      ...tools,
      ...has,
      plot,
      bankTime: () => bankTime(database, organisationId),
      step: (name, run) => runStep(write, name, run),
    }
    return inTurn(organisationId, () =>
      runOnce.transaction(write, async (transaction) => {
        await pauseWithoutLimit(transaction)
        return playScenario(story)
      }),
    )
  }

  return {
    createScenario: (write, { seed, debits = false }) => create(write, plotOf(seed), { asDemo: false, debits }),
    async createDemo(write) {
      const asDemo = await isInPast(database, write.caller.organisationId)
      return create(write, plotOf(undefined), { asDemo, debits: false })
    },
  }
}

/**
 * Whether bank time is behind: so it is in an organisation that was created for the demo, until its story has reached the
 * present. Elsewhere the demo is a plain scenario, because nobody asked for the clock to move.
 */
async function isInPast(database: Database, organisationId: number): Promise<boolean> {
  return Date.parse(await bankTime(database, organisationId)) < clock.nowMs() - DAY_MS
}

/**
 * Runs a step under a key that is made of the scenario's key and the step's name. A scenario that broke off replays the
 * steps it has done when it is sent again with its key, and continues after them.
 */
async function runStep<Data>(
  { caller, requestId, key, recorded }: Write<Scenario>,
  name: string,
  run: (write: Write<Data>) => Promise<Answer>,
): Promise<Data> {
  const answer = await run({
    caller,
    requestId,
    recorded,
    key: {
      text: key.text,
      hash: hash('sha256', Buffer.concat([key.hash, Buffer.from(name)]), 'buffer'),
      fingerprint: Buffer.alloc(32),
      fromCaller: true,
    },
    render: (data) => ({ status: 200, body: JSON.stringify({ data }), replayed: false }),
  })
  return JSON.parse(answer.body).data
}
