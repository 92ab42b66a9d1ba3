import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../../client/src/webhooks.ts'
import { fileShownIn } from '../../house/blocks.ts'
import { root } from '../../support/harness.ts'

/*
 * The receivers of docs/other-languages.md are programs that run here as they are shown, if their language and its library
 * are installed.
 */

const run = promisify(execFile)
const secret = 'whsec_c2VjcmV0IG9mIHRoaXMgdGVzdCBvbmx5IQ=='
const event = { id: 'evt_1000000_42', type: 'payment.returned', data: { id: '1000063', returnReason: 'No account' } }

interface Receiver {
  file: string
  /** The program and its arguments. */
  start: [string, ...string[]]
  /** Commands that have to succeed first; the last one needs the library. */
  needs: [string, ...string[]][]
  /** The reason for which it does not run. */
  without: string
  printed: string
}

const reported = `${event.id} ${event.data.returnReason}`
const receivers: Record<string, Receiver> = {
  Go: {
    file: 'receiver.go',
    start: ['./receiver'],
    needs: [
      ['go', 'mod', 'init', 'example.com/app'],
      ['go', 'mod', 'tidy'],
      ['go', 'build', '-o', 'receiver', '.'],
    ],
    without: 'go is not installed, or does not reach its proxy',
    printed: reported,
  },
  Python: {
    file: 'receiver.py',
    start: ['python3', 'receiver.py'],
    needs: [['python3', '-c', 'import standardwebhooks']],
    without: 'python3 is not installed, or lacks standardwebhooks',
    printed: reported,
  },
  Java: {
    file: 'Receiver.java',
    start: ['java', 'Receiver.java'],
    needs: [['javac', '-d', 'classes', 'Receiver.java']],
    without: 'javac is not installed, or CLASSPATH lacks com.standardwebhooks:standardwebhooks',
    printed: JSON.stringify(event),
  },
}

let folder: string
let program: ChildProcess | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-receivers-'))
})
afterEach(async () => {
  const { exitCode = 0 } = program ?? {}
  program?.kill('SIGKILL')
  if (program && exitCode === null) await once(program, 'exit')
  program = undefined
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('docs/other-languages.md', () => {
  for (const [language, { file, start, needs, without, printed }] of Object.entries(receivers)) {
    test(`has a receiver in ${language} that takes a signed event and refuses a changed one`, async ({ skip }) => {
      const place = await mkdtemp(join(folder, 'receiver-'))
      const page = await readFile(join(root, 'docs/other-languages.md'), 'utf8')
      const port = String(await freePort())
      await writeFile(join(place, file), fileShownIn(page, file).replaceAll('3000', port))
      for (const [name, ...words] of needs) {
        const missing = await run(name, words, { cwd: place }).catch((error: Error) => error)
        if (missing instanceof Error) return skip(`${without}: ${missing.message}`)
      }
      const [name, ...words] = start
      const environment = { ...process.env, PURSER_WEBHOOK_SECRET: secret }
      program = spawn(name, words, { cwd: place, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
      const lines = createInterface({ input: program.stdout as Readable })[Symbol.asyncIterator]()
      expect((await lines.next()).value).toBe(`listening on port ${port}`)

      const body = JSON.stringify(event)
      const headers = { ...(await sign(event, secret)), 'content-type': 'application/json' }
      const send = async (sent: string) =>
        (await fetch(`http://localhost:${port}/webhooks`, { method: 'POST', headers, body: sent })).status
      expect([await send(body.replace('63', '64')), await send(body)]).toEqual([400, 204])
      expect((await lines.next()).value).toBe(printed)
    }, 300_000)
  }
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
