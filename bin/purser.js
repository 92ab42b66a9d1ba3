#!/usr/bin/env node
// Runs the command line: the one that is built into the package or, in a checkout, the bundle of its sources.
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const isCheckout = existsSync(join(root, 'cli/main.ts'))
const program = join(root, isCheckout ? 'dist/cli.js' : 'lib/cli.js')
if (isCheckout) await refresh()
await import(pathToFileURL(program).href)

/** Bundles the sources again where one of them is newer than the bundle. */
async function refresh() {
  const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (built > newest(join(root, 'cli')) && built > newest(join(root, 'client/src'))) return
  const started = new Date()
  const { bundle } = await import('./bundle.js')
  await bundle(join(root, 'cli/main.ts'), program)
  // A bundle that did not change is as new as its sources, too.
  utimesSync(program, started, started)
}

/** The latest change in a folder. A file that was removed or renamed changes its folder. */
function newest(folder) {
  let latest = statSync(folder).mtimeMs
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }
  return latest
}
