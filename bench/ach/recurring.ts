import { setTimeout as sleep } from 'node:timers/promises'
import { visitDatabase } from '../../src/database/visit.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { cpuMs } from '../machine.ts'
import { call, type Service, scratchFolder, startService } from '../service.ts'
import { administer, createWorld, reserveIds, type World } from '../world.ts'
import { startSteadyPayments } from './steady-payments.ts'

const runs = 100_000

/** Recurring payments of 100,000 accounts that are due at one moment, while single payments are made from the same accounts. */
export async function recurringRounds(desk: Desk): Promise<void> {
  const { options, say } = desk
  const count = Math.min(runs, ...options.sizes)
  for (let round = 1; round <= options.rounds; round++) {
    say(`${count} recurring payments are inserted`)
    const service = await startService(scratchFolder())
    const world = await createWorld(service, count)
    const dueAt = new Date(Date.now() + 3_600_000).toISOString()
    await insertRecurring(service, world, dueAt)
    await measureRound(desk, service, world, dueAt)
    await visitDatabase({ databaseUrl: undefined, dataDir: service.dataDir }, checkLaws)
    await service.stop()
  }
}

async function measureRound(desk: Desk, service: Service, world: World, dueAt: string): Promise<void> {
  const payments = startSteadyPayments(service.url, { ...world, accounts: world.count })
  const stretches = {
    before: () => sleep(desk.options.seconds * 1_000),
    runs: () => call(service.url, 'POST', '/v0/sandbox/clock/advance', { to: dueAt }),
  }
  await sleep(2_000)
  for (const [name, work] of Object.entries(stretches)) {
    payments.forget()
    const [startedMs, before] = [performance.now(), cpuMs(service.pid)]
    await work()
    const seconds = (performance.now() - startedMs) / 1_000
    const after = cpuMs(service.pid)
    const { answers, p99Ms, slowestMs, bad } = await payments.measured()
    desk.figures.add(`recurring ${name} p99`, p99Ms)
    if (name === 'runs') {
      desk.figures.add('recurring rate', world.count / seconds)
      if (before && after)
        desk.figures.add(
          'recurring cpu',
          ((after.own + after.started - before.own - before.started) * 1_000) / world.count,
        )
    }
    desk.say(
      `${name} ${seconds.toFixed(1)} s; ${answers} payments, p99 ${p99Ms.toFixed(1)} ms, slowest ${slowestMs.toFixed(1)} ms`,
    )
    if (bad.length > 0) desk.fault(`${name}: ${bad.length} payments of ${answers} did not succeed, ${bad[0]}`)
  }
  await payments.stop()
  const [made] = await administer(service, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as runs, count(distinct payment_id)::int as payments from recurring_payment_run where status = 'Succeeded'`,
    )
    return rows
  })
  if (made?.runs !== world.count || made?.payments !== world.count) desk.fault(`${made?.runs} runs were made`)
}

/** A monthly payment of each account to its external account, whose first run is due at a time. */
async function insertRecurring(service: Service, world: World, dueAt: string): Promise<void> {
  const { organisationId, count, firstAccount, firstExternal } = world
  const dueDate = dueAt.slice(0, 10)
  const schedule = { interval: 'Monthly', startDate: dueDate, onClosedDay: 'AsItComes' }
  await administer(service, async (client) => {
    const first = await reserveIds(client, count)
    await client.query(
      `insert into recurring_payment (id, organisation_id, account_id, customer_id, status, type, direction, external_account_id,
         amount, details, schedule, rules, changes, run_count, tries, next_due_date, next_at, created_at, version)
       select $1::bigint + i, $2::bigint, a.id, a.customer_id, 'Active', 'achPayment', 'Credit', $4::bigint + i, 1_00,
         '{"description": "Rent"}', $5::jsonb, '{"onMissingMoney": "Skip", "onReturn": "Stop"}',
         '{"amounts": [], "skipped": []}', 0, 0, $6::text, $7::timestamptz, now(), 1
       from generate_series(0, $8::int - 1) i join account a on a.id = $3::bigint + i`,
      [first, organisationId, firstAccount, firstExternal, JSON.stringify(schedule), dueDate, dueAt, count],
    )
    await client.query('vacuum analyze recurring_payment')
    await client.query('checkpoint')
  })
}
