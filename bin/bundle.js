// Bundles one TypeScript entry point of a checkout to JavaScript, once for each change of its sources.
import { readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '..')
/** Files that decide about a bundle without being a part of it. */
const settings = ['bin/bundle.js', 'package.json']
/**
 * Packages that become a part of the bundle, because programs load them at their start: one file instead of many hundreds
 * saves a quarter of the processor time of the service's start. TypeBox alone would take a third of it.
 */
const bundledPackages = [
  '@opentelemetry/api',
  'cockatiel',
  'commander',
  'fastify',
  'file-type',
  'pg',
  'pino',
  'prom-client',
  'typebox',
  'undici',
]
/**
 * Begins every file: packages of the CommonJS kind expect these names. Without `navigator`, which Node 20 lacks, pg looks for
 * `Response`, and Node loads its fetch for that: 40 ms of a start.
 */
export const banner = `
import { createRequire as createRequireOfPackage } from 'node:module'
const require = createRequireOfPackage(import.meta.url)
const __filename = import.meta.filename
const __dirname = import.meta.dirname
globalThis.navigator ??= { userAgent: 'Node.js' }`

/** Writes the bundle of `entry` to `target`, unless it is there and no file has changed since it was made. */
export async function bundle(entry, target) {
  if (isCurrent(target)) return
  const startedMs = Date.now()
  const { files, inputs } = await bundled(entry, target)
  // The entry point comes last, when the parts that it loads are there.
  for (const { path, text } of files) {
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) await replaceOrEnd(path, text)
  }
  await removeOtherParts(target, files).catch(() => undefined)
  // The record only saves time: a start by a user who may not write here does without.
  const parts = files.flatMap(({ path }) => (path === target ? [] : [relative(root, path)]))
  await recordInputs(target, inputs, startedMs, parts).catch(() => undefined)
}

/** Notes the files that a bundle was made of, and its own parts, with their states. */
export async function recordInputs(target, inputs, startedMs, parts = []) {
  const states = Object.fromEntries([...inputs, ...parts].map((path) => [path, stateOf(path)]))
  // A file that changed during the build may not be in the bundle as it is now.
  const settled = inputs.every((path) => statSync(join(root, path)).mtimeMs < startedMs)
  if (settled) await replace(recordOf(target), JSON.stringify(states))
}

/** Whether a bundle is there, with all its files as they were when it was made. */
export function isCurrent(target) {
  try {
    statSync(target)
    const states = JSON.parse(readFileSync(recordOf(target), 'utf8'))
    return Object.entries(states).every(([path, state]) => stateOf(path) === state)
  } catch {
    // Nothing was built yet, or a file is gone.
    return false
  }
}

function recordOf(target) {
  return `${target}.inputs.json`
}

function stateOf(path) {
  const { mtimeMs, size } = statSync(join(root, path))
  return `${mtimeMs} ${size}`
}

async function replaceOrEnd(target, text) {
  try {
    await mkdir(dirname(target), { recursive: true })
    await replace(target, text)
  } catch (error) {
    process.stderr.write(`purser: cannot write ${target} (${error.code}): start once as the owner of this folder\n`)
    process.exit(1)
  }
}

/** Written to another name and renamed: another process may be loading the file at this moment. */
export async function replace(target, text) {
  await writeFile(`${target}.${process.pid}`, text)
  await rename(`${target}.${process.pid}`, target)
}

/** Removes the parts that belong to former bundles of the same entry point. */
async function removeOtherParts(target, files) {
  const folder = dirname(target)
  const current = new Set(files.map(({ path }) => basename(path)))
  const part = new RegExp(`^${basename(target, '.js')}-[A-Z0-9]{8}\\.js(\\.map)?$`)
  const old = (await readdir(folder)).filter((name) => part.test(name) && !current.has(name))
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })))
}

/** The files of a bundle, the entry point last. Modules that a program imports later become files of their own. */
async function bundled(path, target) {
  const { buildSync, stop } = await import('esbuild')
  const name = basename(target, '.js')
  try {
    const { outputFiles, metafile } = buildSync({
      absWorkingDir: root,
      entryPoints: [path],
      outdir: dirname(target),
      entryNames: name,
      chunkNames: `${name}-[hash]`,
      bundle: true,
      splitting: true,
      external: externalPackages(),
      banner: { js: banner },
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'external',
      // Stack traces need the positions only; the sources are in the checkout.
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: 'error',
    })
    const files = outputFiles.toSorted((one, other) => (one.path === target) - (other.path === target))
    return { files, inputs: [...settings, ...Object.keys(metafile.inputs)] }
  } catch (error) {
    // A signal to the process group ends esbuild, too. The handler of bin/run.js runs in the next turn of the event loop.
    if (String(error).includes('The service was stopped')) await sleep(1_000)
    throw error
  } finally {
    // Ends esbuild's process, which waits for more work.
    stop()
  }
}

function externalPackages() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !bundledPackages.includes(name))
}
