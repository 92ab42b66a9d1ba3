import { type Desk, measure } from '../desk.ts'
import type { Figures } from '../figures.ts'
import { load } from '../load.ts'
import { type CpuTask, cpuByTask, ticksOf } from '../machine.ts'
import { type Service, scratchFolder, startService } from '../service.ts'
import { createWorld, type World } from '../world.ts'

export const processConnections = 128
export const processCounts = [1, 2]
/** The reads of two processes on two cores, over those of one. */
export const processesBar = 0.95
const processKinds = ['accounts', 'payments'] as const
const cpuTasks: (CpuTask | 'load')[] = ['serving', 'parent', 'database', 'load']

type Kind = (typeof processKinds)[number]

interface Measured {
  count: number
  service: Service
  world: World
}

/** Reads and payments of a service of one process, and of one of two behind one port, in turn on one machine. */
export async function processRounds(desk: Desk): Promise<void> {
  const { options } = desk
  const services: Measured[] = []
  for (const count of processCounts) {
    const environment = { PURSER_PROCESSES: String(count) }
    const service = await startService(scratchFolder(), { environment })
    services.push({ count, service, world: await createWorld(service, options.accounts) })
  }
  // The first round warms up, each process with as many requests.
  for (let round = 0; round <= options.rounds; round++) {
    for (const kind of processKinds) {
      // To and fro, so that none has the better place.
      for (const measured of round % 2 === 1 ? services : services.toReversed()) {
        if (round > 0) await measureOne(desk, kind, measured)
        else await warmUp(desk, kind, measured)
      }
    }
  }
  for (const { service } of services) await service.stop()
}

/** Compiles the code of every process: two of them need twice as many requests. */
async function warmUp({ options }: Desk, kind: Kind, { count, service, world }: Measured): Promise<void> {
  await load({ kind, url: service.url, connections: processConnections, seconds: options.seconds * count, world })
}

/** One run of load, with the CPU time that each task takes for a request. That of the load is to be the same for both. */
async function measureOne(desk: Desk, kind: Kind, { count, service, world }: Measured): Promise<void> {
  const cpu = () => ({ ...cpuByTask(service.pid), load: ticksOf(process.pid) })
  const before = cpu()
  const order = { kind, url: service.url, connections: processConnections }
  const { requests } = await measure({ ...desk, world }, `${kind} of ${count}`, order)
  const after = cpu()
  for (const task of cpuTasks) {
    const micros = (((after[task] ?? 0) - (before[task] ?? 0)) * 1_000) / requests
    desk.figures.add(`${kind} of ${count} cpu ${task}`, micros)
  }
  const { sum, parts } = cpuOf(desk.figures, kind, count, 'last')
  desk.say(`  CPU time ${sum}: ${parts}`)
}

/** CPU time of one request. It is steadier than requests a second if other work runs on the machine. */
export function processCpuRows(figures: Figures): [string, string | undefined, string][] {
  return processKinds.flatMap((kind) =>
    processCounts.map((count): [string, string | undefined, string] => {
      const title = `CPU time, ${count} ${count === 1 ? 'process' : 'processes'}, ${kind === 'accounts' ? 'GET account' : 'a payment'}`
      const measured = figures.median(`${kind} of ${count} cpu ${cpuTasks[0]}`) !== undefined
      const { sum, parts } = cpuOf(figures, kind, count, 'median')
      return [title, measured ? sum : undefined, parts]
    }),
  )
}

function cpuOf(figures: Figures, kind: Kind, count: number, which: 'last' | 'median'): { sum: string; parts: string } {
  const taken = cpuTasks.map((task) => figures[which](`${kind} of ${count} cpu ${task}`) ?? 0)
  const parts = cpuTasks.map((task, index) => `${task} ${taken[index]?.toFixed(0)}`)
  return { sum: `${taken.reduce((sum, one) => sum + one, 0).toFixed(0)} µs`, parts: parts.join(', ') }
}
