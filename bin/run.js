// Bundles one TypeScript entry point to JavaScript and runs it in this process, so that every `npm run` needs Node alone.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { buildSync, stop } from 'esbuild'

const root = join(import.meta.dirname, '..')
const [entry, ...rest] = process.argv.slice(2)
const target = join(root, 'dist', `${basename(entry, '.ts')}.js`)

// The service ends with exit code 0 on a signal, also on one that comes before it has set its own handlers.
if (entry === 'src/main.ts') {
  for (const name of ['SIGINT', 'SIGTERM']) {
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(0)
    })
  }
}

const text = await bundle(join(root, entry))
// Written to another name and renamed: another process may be loading the file at this moment.
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

async function bundle(path) {
  try {
    const { outputFiles } = buildSync({
      entryPoints: [path],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      write: false,
      logLevel: 'error',
    })
    return outputFiles[0].text
  } catch (error) {
    // A signal to the process group ends esbuild, too. The handler above runs in the next turn of the event loop.
    await sleep(100)
    throw error
  } finally {
    // Ends esbuild's process, which waits for more work.
    stop()
  }
}
