import { setTimeout as sleep } from 'node:timers/promises'
import { takePulse } from '../../test/support/worst-case.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { cpuMs } from '../machine.ts'
import { call } from '../service.ts'
import { type Bank, makeBank, sendReturns } from './bank.ts'
import { startSteadyPayments } from './steady-payments.ts'

export const achPayments = 100_000
/** The stretches that are measured, each beside payments at a steady rate. */
export const achStretches = ['before', 'build', 'settlement', 'returns'] as const
type Stretch = (typeof achStretches)[number]

/** The payments of one cut-off become a file, settle and are returned, while single payments run. */
export async function achRounds(desk: Desk): Promise<void> {
  const { options, say } = desk
  const count = Math.min(achPayments, ...options.sizes)
  for (let round = 1; round <= options.rounds; round++) {
    say(`${count} pending payments are inserted`)
    const bank = await makeBank(count, options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [])
    await measureRound(desk, bank, count)
    await checkLaws(bank.database)
    await bank.database.close()
    await bank.service.stop()
  }
}

async function measureRound(desk: Desk, bank: Bank, count: number): Promise<void> {
  const { service, set, cutoffAt, settlesAt } = bank
  const payments = startSteadyPayments(service.url, set)
  const pulse = await takePulse(service.url, '/livez')
  const advance = (to: string) => call(service.url, 'POST', '/v0/sandbox/clock/advance', { to })
  const work: Record<Stretch, () => Promise<unknown>> = {
    before: () => sleep(desk.options.seconds * 1_000),
    build: () => advance(cutoffAt),
    settlement: () => advance(settlesAt),
    returns: () => returnAll(bank),
  }
  await sleep(2_000)
  for (const name of achStretches) {
    payments.forget()
    await pulse.slowest()
    const [startedMs, before] = [performance.now(), cpuMs(service.pid)]
    await work[name]()
    const seconds = (performance.now() - startedMs) / 1_000
    const after = cpuMs(service.pid)
    const { answers, slowestMs, p99Ms, bad } = await payments.measured()
    const pulseMs = await pulse.slowest()
    const own = ((after?.own ?? 0) - (before?.own ?? 0)) / 1_000
    const started = ((after?.started ?? 0) - (before?.started ?? 0)) / 1_000
    for (const [what, value] of Object.entries({ seconds, slowestMs, pulseMs, cpuSeconds: own + started })) {
      desk.figures.add(`ach ${name} ${what}`, value)
    }
    desk.say(
      `${name} ${seconds.toFixed(1)} s, CPU service ${own.toFixed(1)} s, database ${started.toFixed(1)} s; ` +
        `${answers} payments, p99 ${p99Ms.toFixed(1)} ms, slowest ${slowestMs.toFixed(1)} ms; slowest probe ${pulseMs.toFixed(1)} ms`,
    )
    if (bad.length > 0) desk.fault(`${name}: ${bad.length} payments of ${answers} did not succeed, ${bad[0]}`)
    await expectStatus(desk, bank, name, count)
  }
  await pulse.stop()
  await payments.stop()
}

/** Waits until the service has taken a file of returns. */
async function returnAll(bank: Bank): Promise<void> {
  await sendReturns(bank)
  for (;;) {
    const [row] = await bank.database.query<{ state: string }>(
      `select state from ach_file where direction = 'in' and name = 'returns.ach'`,
    )
    if (row?.state === 'applied') return
    if (row?.state === 'refused') throw new Error('the file of returns was refused')
    await sleep(20)
  }
}

const statuses: Record<Stretch, string> = {
  before: 'Pending',
  build: 'Clearing',
  settlement: 'Sent',
  returns: 'Returned',
}

async function expectStatus({ fault }: Desk, { database, set, cutoffAt }: Bank, name: Stretch, count: number) {
  const [row] = await database.query<{ payments: number }>(
    `select count(*) as payments from payment
     where organisation_id = $1::bigint and cutoff_at = $2::timestamptz and id between $3::bigint and $4::bigint and status = $5::text`,
    [set.organisationId, cutoffAt, set.paymentId(0), set.paymentId(count - 1), statuses[name]],
    'once',
  )
  if (row?.payments !== count) fault(`after ${name} ${row?.payments} of ${count} payments are ${statuses[name]}`)
}
