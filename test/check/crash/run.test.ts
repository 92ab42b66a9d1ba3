import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../support/harness.ts'

test('src/v8.ts keeps the hidden class of a tick alive through garbage collections', async () => {
  const program = await openProgram('shape-of-a-tick')
  try {
    await writeFile(
      program.entry,
      `import ${JSON.stringify(join(root, 'src/v8.ts'))}
       import { executionAsyncResource } from 'node:async_hooks'
       import { setImmediate as nextTurn } from 'node:timers/promises'
       const sameShape = new Function('one', 'other', 'return %HaveSameMap(one, other)')
       for (let count = 0; count < 3; count++) {
         globalThis.gc()
         await nextTurn()
       }
       const [name] = Object.getOwnPropertySymbols(globalThis).filter(({ description }) => description === 'tick')
       process.nextTick(() => console.log(name && sameShape(globalThis[name], executionAsyncResource())))`,
    )
    expect(await program.run('--expose-gc', '--allow-natives-syntax')).toBe('true\n')
  } finally {
    await program.remove()
  }
})

test('bin/run.js keeps pg from loading the fetch of Node', async () => {
  const program = await openProgram('without-fetch')
  try {
    await writeFile(
      program.entry,
      `import { openDatabase } from ${JSON.stringify(join(root, 'src/database/database.ts'))}
       console.log(typeof openDatabase, process.moduleLoadList.includes('NativeModule internal/deps/undici/undici'))`,
    )
    expect(await program.run()).toBe('function false\n')
  } finally {
    await program.remove()
  }
})

test('bin/run.js bundles a program again when one of its files has changed, and only then', async () => {
  const program = await openProgram('bundled-once')
  try {
    const part = join(program.folder, 'part.ts')
    await writeFile(program.entry, `import { text } from './part.ts'\nconsole.log(text)`)
    await writeFile(part, `export const text: string = 'first'`)
    // A file as new as the build may have changed during it.
    const earlier = new Date(Date.now() - 10_000)
    await Promise.all([program.entry, part].map((path) => utimes(path, earlier, earlier)))
    expect(await program.run()).toBe('first\n')
    // The bundle is not made again: a changed one stays.
    await writeFile(program.built, `console.log('kept')`)
    expect(await program.run()).toBe('kept\n')
    await writeFile(part, `export const text: string = 'second'`)
    expect(await program.run()).toBe('second\n')
    await rm(part)
    await expect(program.run()).rejects.toThrow(/Could not resolve/)
  } finally {
    await program.remove()
  }
})

test('bin/run.js shows the positions of the sources in stack traces', async () => {
  const program = await openProgram('with-positions')
  try {
    await writeFile(
      join(program.folder, 'part.ts'),
      `export interface Unused {}\n\nexport const fail = () => {\n  throw new TypeError('no luck')\n}`,
    )
    await writeFile(
      program.entry,
      `import { fail } from './part.ts'
       try {
         fail()
       } catch (error) {
         console.log((error as Error).stack)
       }
       const odd = Object.defineProperty({}, 'name', { get: () => { throw new Error() } })
       Error.captureStackTrace(odd)
       console.log((odd as Error).stack.split('\\n')[0])`,
    )
    const lines = (await program.run()).split('\n')
    expect(lines[0]).toBe('TypeError: no luck')
    expect(lines[1]).toContain(`${join(program.folder, 'part.ts')}:4:9`)
    expect(lines[2]).toContain(`${program.entry}:3:10`)
    expect(lines.at(-2)).toBe('Error')
  } finally {
    await program.remove()
  }
})

test('bin/bundle-console.js builds the console once for each change: a page, scripts, and one style sheet', async () => {
  const { bundleConsole } = await import(join(root, 'bin/bundle-console.js'))
  const folder = await mkdtemp(join(tmpdir(), 'purser-console-'))
  const target = join(folder, 'console')
  try {
    const files: Map<string, Buffer> = await bundleConsole(target)
    const names = (await readdir(join(target, 'assets'))).map((name) => `assets/${name}`)
    expect([...names, 'index.html'].toSorted()).toEqual([...files.keys()].toSorted())
    for (const [path, contents] of files) expect((await readFile(join(target, path))).equals(contents), path).toBe(true)
    expect(names.filter((name) => name.endsWith('.css'))).toHaveLength(1)
    expect(await bundleConsole(target)).toBeUndefined()

    // Without its record the folder may be of any age.
    await rm(`${target}.inputs.json`)
    await writeFile(join(target, 'assets/old-AAAAAAAA.js'), '')
    expect([...(await bundleConsole(target)).keys()]).toEqual([...files.keys()])
    expect(await readdir(join(target, 'assets'))).toHaveLength(names.length)
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** A program outside of the checkout, which bin/run.js bundles into its folder. */
async function openProgram(name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'purser-run-'))
  const entry = join(folder, `${name}.ts`)
  const built = join(root, 'dist', `${name}.js`)
  return {
    folder,
    entry,
    built,
    run: async (...flags: string[]) => {
      const run = [...flags, 'bin/run.js', relative(root, entry)]
      return (await promisify(execFile)(process.execPath, run, { cwd: root })).stdout
    },
    remove: async () => {
      await rm(folder, { recursive: true })
      for (const path of [built, `${built}.map`, `${built}.inputs.json`]) await rm(path, { force: true })
    },
  }
}
