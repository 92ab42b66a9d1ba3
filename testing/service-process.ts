import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The service as a process of its own. */
export interface ServiceProcess {
  url: string
  apiKey: string
  pid: number | undefined
  stop(): Promise<void>
}

const START_MS = 120_000
const STOP_MS = 40_000

/** Starts the service on a free port and waits until it listens. Without a folder for its data it gets a temporary one. */
export async function startService(
  dataDir?: string,
  environment: Record<string, string> = {},
): Promise<ServiceProcess> {
  // The service runs in the folder of the package: a path of the caller is one from the caller's own folder.
  const folder = dataDir === undefined ? await mkdtemp(join(tmpdir(), 'purser-testing-')) : resolve(dataDir)
  const child = spawn(process.execPath, programOf(packageFolder()), {
    cwd: packageFolder(),
    env: {
      ...ownEnvironment(),
      PURSER_DEMO: 'off',
      LOG_LEVEL: 'warn',
      ...environment,
      PORT: '0',
      PURSER_DATA_DIR: folder,
    },
    // The service ends with the channel: also when this process is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  // A process that could not be started has no exit.
  const exited = new Promise<void>((settle) => child.once('exit', () => settle()).once('error', () => settle()))
  let stopping = false
  const stop = async () => {
    stopping = true
    if (child.connected) child.disconnect()
    const killed = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await exited
    clearTimeout(killed)
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  let late: NodeJS.Timeout | undefined
  const listening = new Promise<string>((found, failed) => {
    late = setTimeout(() => failed(new Error(`Purser did not start in time:\n${output}`)), START_MS)
    const look = (text: Buffer) => {
      output = (output + text).slice(-20_000)
      const url = /listening on (http:\/\/\S+)\n/.exec(output)?.[1]
      if (url) found(url)
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('error', failed)
    exited.then(() => failed(new Error(`Purser did not start:\n${output}`)))
  })
  try {
    const url = await listening
    const apiKey = environment.PURSER_API_KEY ?? (await readFile(join(folder, 'api-key'), 'utf8')).trim()
    // A test runner may end with the process still there.
    child.unref()
    for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()
    child.channel?.unref()
    // Calls that follow only say that nothing answers.
    exited.then(() => stopping || process.stderr.write(`Purser ended before it was stopped:\n${output}\n`))
    return { url, apiKey, pid: child.pid, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(late)
  }
}

/** The settings of the caller's own Purser, such as a live database, are not those of a test. */
function ownEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(PURSER_|DATABASE_URL$|HOST$)/.test(name))
  return Object.fromEntries(own)
}

/** The folder of the package: the nearest one above that has migrations. */
function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'migrations'))) {
    if (folder === dirname(folder)) throw new Error('the package purser is not complete: it has no migrations')
    folder = dirname(folder)
  }
  return folder
}

/** A checkout bundles the service when it starts; a package has it built in. */
function programOf(folder: string): string[] {
  return existsSync(join(folder, 'src/main.ts')) ? ['bin/run.js', 'src/main.ts'] : ['lib/main.js']
}
