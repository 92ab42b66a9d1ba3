import { type Bench, measure } from './desk.ts'
import { scratchFolder, startProgram, startService } from './service.ts'

export const connectorConnections = 64
export const upstreamDelaysMs = [50, 0]

/** GET account through the connector beside the same request to the upstream itself, which takes a while or none. */
export async function connectorRounds(bench: Bench): Promise<void> {
  for (const delayMs of upstreamDelaysMs) {
    const upstream = await startProgram<{ url: string }>('upstream', { delayMs })
    // The load asks both for the same paths, so that the upstream's stand below ours.
    const service = await startService(scratchFolder(), {
      environment: {
        PURSER_BANKING_PROVIDER: 'unit',
        PURSER_UNIT_URL: `${upstream.said.url}/v0/banking`,
        PURSER_UNIT_TOKEN: 'token-of-no-secret',
        PURSER_UNIT_REQUESTS_PER_MINUTE: '0',
      },
    })
    const direct = { name: `upstream ${delayMs} ms`, url: upstream.said.url }
    const through = { name: `connector ${delayMs} ms`, url: service.url }
    for (let round = 0; round <= bench.options.rounds; round++) {
      for (const { name, url } of [direct, through]) {
        // The first round only warms up.
        const figures = round === 0 ? { ...bench.figures, add: () => undefined } : bench.figures
        await measure({ ...bench, figures }, name, { kind: 'accounts', url, connections: connectorConnections })
      }
    }
    await service.stop()
    await upstream.stop()
  }
}
