import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from '../harness.ts'
import type { TwoCells } from './two-cells.ts'

/** Moves an organisation in a process of its own, which is killed at a step. */
export async function killedMove({ environment }: TwoCells, name: string, to: string, step: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(root, 'bin/run.js'), 'test/support/cells/move-runner.ts', name, to, step],
    {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const [code, signal] = await once(child, 'exit')
  expect({ code, signal, errors: signal ? '' : errors }).toEqual({ code: null, signal: 'SIGKILL', errors: '' })
}
