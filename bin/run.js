// Turns one TypeScript entry point into JavaScript and runs it here, so that every `npm run` needs Node alone.
import { executionAsyncResource } from 'node:async_hooks'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { buildSync, stop } from 'esbuild'

// Under many payments at once V8 would learn to put what a request makes among the objects that live long. They die
// there all the same, and until the next large collection keep alive what they point to: every request takes longer.
setFlagsFromString('--no-allocation-site-pretenuring')

// V8 forgets the shape of the objects of `process.nextTick` when a collection finds none of them, and from then on takes
// four times as long for each: here is one that stays, because the global object holds it.
process.nextTick(() => {
  globalThis[Symbol('tick')] = executionAsyncResource()
})

const root = join(import.meta.dirname, '..')
const [entry, ...rest] = process.argv.slice(2)
const target = join(root, 'dist', `${basename(entry, '.ts')}.js`)
const { outputFiles } = buildSync({
  entryPoints: [join(root, entry)],
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  write: false,
  logLevel: 'error',
})
const [{ text }] = outputFiles
// Its helper process has done its work.
stop()
// Written aside and renamed: another process may be loading the file at this moment.
if ((await readFile(target, 'utf8').catch(() => '')) !== text) {
  try {
    await mkdir(dirname(target), { recursive: true })
    await writeFile(`${target}.${process.pid}`, text)
    await rename(`${target}.${process.pid}`, target)
  } catch (error) {
    process.stderr.write(`purser: cannot write ${target} (${error.code}): start once as the owner of this folder\n`)
    process.exit(1)
  }
}
process.setSourceMapsEnabled(true)
process.argv = [process.argv[0], target, ...rest]
await import(pathToFileURL(target).href)
