import { type Desk, measure } from '../desk.ts'
import { type Service, scratchFolder, startService } from '../service.ts'
import { createWorld, type World } from '../world.ts'

export const processConnections = 128
export const processCounts = [1, 2]
/** The reads of two processes on two cores, over those of one. */
export const processesBar = 0.95

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
    const service = await startService(scratchFolder(), { entry: options.entry, environment })
    services.push({ count, service, world: await createWorld(service, options.accounts) })
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const kind of ['accounts', 'payments'] as const) {
      // To and fro, so that none has the better place.
      for (const { count, service, world } of round % 2 === 0 ? services : services.toReversed()) {
        const order = { kind, url: service.url, connections: processConnections }
        await measure({ ...desk, world }, `${kind} of ${count}`, order)
      }
    }
  }
  for (const { service } of services) await service.stop()
}
