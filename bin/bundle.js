// Bundles one TypeScript entry point of a checkout to JavaScript.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSync, stop } from 'esbuild'

/** Writes the bundle of `entry` to `target`, if it is not what is there. */
export async function bundle(entry, target) {
  const text = await bundled(entry)
  if ((await readFile(target, 'utf8').catch(() => '')) === text) return
  try {
    await mkdir(dirname(target), { recursive: true })
    // Written to another name and renamed: another process may be loading the file at this moment.
    await writeFile(`${target}.${process.pid}`, text)
    await rename(`${target}.${process.pid}`, target)
  } catch (error) {
    process.stderr.write(`purser: cannot write ${target} (${error.code}): start once as the owner of this folder\n`)
    process.exit(1)
  }
}

async function bundled(path) {
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
    // A signal to the process group ends esbuild, too. The handler of bin/run.js runs in the next turn of the event loop.
    await sleep(100)
    throw error
  } finally {
    // Ends esbuild's process, which waits for more work.
    stop()
  }
}
