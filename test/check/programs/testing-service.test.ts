import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startService } from '../../../testing/service-process.ts'
import { root } from '../../support/harness.ts'
import { endServices, preparedDataDir } from '../../support/service.ts'

afterAll(endServices)

test('a service has no setting of its caller; one that ends by itself says so, and is stopped as often as one likes', async () => {
  const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const folder = await preparedDataDir()
  const settings = {
    DATABASE_URL: 'postgres://127.0.0.1:1/live',
    HOST: '192.0.2.1',
    PURSER_BANKING_PROVIDER: 'unknown',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const service = await startService(folder).finally(() => vi.unstubAllEnvs())
  process.kill(service.pid ?? Number.NaN, 'SIGTERM')
  await vi.waitFor(
    () => expect(reported).toHaveBeenCalledWith(expect.stringContaining('ended before it was stopped')),
    {
      timeout: 30_000,
    },
  )
  reported.mockRestore()
  await Promise.all([service.stop(), service.stop()])
})

test('the service and its database end when the test process is killed', async () => {
  const dataDir = await preparedDataDir()
  // The folder is named from where the test process runs.
  const program = [join(root, 'bin/run.js'), 'test/support/processes/kit-runner.ts', basename(dataDir)]
  const runner = spawn(process.execPath, program, {
    cwd: dirname(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(runner.stdout.setEncoding('utf8'), 'data')) as [string]
  expect((await fetch(`${url.trim()}/livez`)).status).toBe(200)
  const [cluster = ''] = readdirSync(dataDir).filter((name) => name.startsWith('pg'))
  const lock = join(dataDir, cluster, 'postmaster.pid')
  expect(existsSync(lock)).toBe(true)
  runner.kill('SIGKILL')
  await vi.waitFor(() => expect(existsSync(lock)).toBe(false), { timeout: 30_000 })
  await expect(fetch(`${url.trim()}/livez`)).rejects.toThrow()
})
