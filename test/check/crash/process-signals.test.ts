import { afterAll, expect, test } from 'vitest'
import { isRunning, processesOf } from '../../support/processes/of-service.ts'
import { slowRequest } from '../../support/processes/slow-request.ts'
import {
  endServices,
  gone,
  isPostgres,
  postmasterOf,
  preparedDataDir,
  type Service,
  startService,
  until,
} from '../../support/service.ts'

/** A signal that follows the first within this time may be of the same Ctrl-C. */
const SAME_CTRL_C_MS = 5_000

afterAll(endServices)

async function startTwo(dataDir: string): Promise<Service> {
  return startService({ PURSER_DATA_DIR: dataDir, PURSER_PROCESSES: '2' })
}

const allEnded = (pids: number[]) => until('the processes to end', () => !pids.some(isRunning))

for (const processes of ['1', '2']) {
  test.concurrent(`PURSER_PROCESSES=${processes}: a second SIGTERM and an early Ctrl-C change nothing, a later Ctrl-C ends all and the server at once`, async () => {
    const dataDir = await preparedDataDir()
    const service = await startService({ PURSER_DATA_DIR: dataDir, PURSER_PROCESSES: processes })
    const postmaster = postmasterOf(dataDir) ?? 0
    const pids = processesOf(service)
    await slowRequest(service)
    const firstMs = performance.now()
    void service.signalGroup('SIGTERM')
    await service.printed(/SIGTERM: finishing the requests in progress/)
    void service.signalGroup('SIGTERM')
    await until('a Ctrl-C to end the service', () => {
      void service.signalGroup('SIGINT')
      return !isRunning(service.pid)
    })
    expect(performance.now() - firstMs).toBeGreaterThan(SAME_CTRL_C_MS)
    // Without it the service would have ended in order, with 0, when the request that waits was refused.
    expect((await service.exited).code).toBe(1)
    await allEnded(pids)
    await gone(postmaster)
  })
}

test.concurrent('after the kill of the parent process the others answer their requests, then they and the server end', async () => {
  const dataDir = await preparedDataDir()
  const service = await startTwo(dataDir)
  const postmaster = postmasterOf(dataDir) ?? 0
  const processes = processesOf(service)
  const slow = await slowRequest(service)
  process.kill(service.pid, 'SIGKILL')
  await until('the port to be closed', () =>
    fetch(`${service.url}/livez`).then(
      () => false,
      () => true,
    ),
  )
  expect(isPostgres(postmaster)).toBe(true)
  await slow.release()
  expect((await slow.answer).status).toBe(200)
  await allEnded(processes)
  await gone(postmaster)
})

test.concurrent('after the kill of all processes the next start takes over the server', async () => {
  const dataDir = await preparedDataDir()
  const service = await startTwo(dataDir)
  const postmaster = postmasterOf(dataDir) ?? 0
  await service.kill()
  expect(isPostgres(postmaster)).toBe(true)

  // With more processes the server needs more connections than the one that was left behind allows.
  const next = await startService({ PURSER_DATA_DIR: dataDir, PURSER_PROCESSES: '3' })
  expect(processesOf(next)).toHaveLength(3)
  expect((await next.call('GET', '/readyz')).status).toBe(200)
  // Ctrl-C reaches every process of the group.
  const { code, stderr } = await next.signalGroup('SIGINT')
  expect([code, stderr]).toEqual([0, ''])
})
