import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('src/v8.ts keeps the hidden class of a tick alive through garbage collections', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-run-'))
  const built = join(root, 'dist', 'shape-of-a-tick.js')
  try {
    const entry = join(folder, 'shape-of-a-tick.ts')
    await writeFile(
      entry,
      `import ${JSON.stringify(join(root, 'src/v8.ts'))}
       import { executionAsyncResource } from 'node:async_hooks'
       import { setTimeout as sleep } from 'node:timers/promises'
       const sameShape = new Function('one', 'other', 'return %HaveSameMap(one, other)')
       for (let count = 0; count < 3; count++) {
         globalThis.gc()
         await sleep(1)
       }
       const [name] = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === 'tick')
       process.nextTick(() => console.log(name && sameShape(globalThis[name], executionAsyncResource())))`,
    )
    const run = ['--expose-gc', '--allow-natives-syntax', 'bin/run.js', relative(root, entry)]
    expect((await promisify(execFile)(process.execPath, run, { cwd: root })).stdout).toBe('true\n')
  } finally {
    await rm(folder, { recursive: true })
    await rm(built, { force: true })
  }
})
