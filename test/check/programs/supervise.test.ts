import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../../src/http/log.ts'
import { openParent } from '../../../src/processes/parent.ts'
import { supervise } from '../../../src/processes/supervise.ts'

/** Serves when it is started for the first time, and is killed at once; fails whenever it is started again. */
const PROGRAM = `
  import { existsSync, writeFileSync } from 'node:fs'
  if (existsSync(process.env.MARK)) {
    console.error('no second start')
    process.exit(3)
  }
  writeFileSync(process.env.MARK, '')
  process.send({ purser: 'ready', address: 'http://127.0.0.1:1' }, () => process.kill(process.pid, 'SIGKILL'))
`

/** Serves whenever it is started, and is killed at once. */
const SHORT_PROGRAM = `
  process.send({ purser: 'ready', address: 'http://127.0.0.1:1' }, () => process.kill(process.pid, 'SIGKILL'))
`

/** Serves only after the signal to stop. */
const LATE_PROGRAM = `
  process.on('SIGTERM', () => process.send({ purser: 'ready', address: 'http://127.0.0.1:1' }, () => process.exit(0)))
  console.log('started')
`

test('a stop during the start lets no further process begin', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-supervise-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, LATE_PROGRAM)
  const numbers: number[] = []
  let stopped: Promise<void> | undefined
  try {
    const supervised = supervise({
      count: 2,
      program,
      environment: (number) => {
        numbers.push(number)
        return {}
      },
      parent: openParent(),
      log: openLog('silent', { terminal: false, write: () => undefined }),
      stdout: () => {
        stopped = supervised.stop()
      },
      stderr: () => undefined,
      lost: () => undefined,
    })
    await expect(supervised.started).rejects.toThrow('the service stops')
    await stopped
    expect(numbers).toEqual([1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a process that serves and is killed again and again is replaced after growing pauses, and never given up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-supervise-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, SHORT_PROGRAM)
  const pauses: number[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      const supervised = supervise({
        count: 1,
        program,
        environment: () => ({}),
        parent: openParent(),
        log: openLog('error', {
          terminal: false,
          write: (line) => {
            pauses.push(JSON.parse(line).pauseMs)
            if (pauses.length === 10) supervised.stop().then(resolve, reject)
          },
        }),
        stdout: () => undefined,
        stderr: () => undefined,
        lost: reject,
        firstPauseMs: 1,
      })
      supervised.started.catch(reject)
    })
    expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a process that fails at each start is started again after growing pauses, and given up after seven', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-supervise-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, PROGRAM)
  const lines: { msg: string; process: number; reason: string; pauseMs: number }[] = []
  let errors = ''
  try {
    const given = await new Promise<Error>((lost, failed) => {
      const { started } = supervise({
        count: 1,
        program,
        environment: () => ({ MARK: join(folder, 'mark') }),
        parent: openParent(),
        log: openLog('info', { terminal: false, write: (line) => void lines.push(JSON.parse(line)) }),
        stdout: () => undefined,
        stderr: (text) => {
          errors += Buffer.from(text).toString()
        },
        lost,
        firstPauseMs: 2,
      })
      started.then((address) => expect(address).toBe('http://127.0.0.1:1')).catch(failed)
    })
    expect(given.message).toBe('process 1 failed to start 7 times in a row (exit code 3): see the log above')
    expect(errors).toBe('no second start\n'.repeat(7))
    expect(new Set(lines.map(({ msg }) => msg))).toEqual(new Set(['a process ended and is replaced']))
    expect(lines.map(({ reason }) => reason)).toEqual(['SIGKILL', ...Array(6).fill('exit code 3')])
    expect(lines.map(({ pauseMs }) => pauseMs)).toEqual([0, 2, 4, 8, 16, 32, 64])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
