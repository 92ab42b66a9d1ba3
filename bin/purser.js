#!/usr/bin/env node
// Runs the command line: the one that is built into the package or, in a checkout, the bundle of its sources.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const isCheckout = existsSync(join(root, 'cli/main.ts'))
const program = join(root, isCheckout ? 'dist/cli.js' : 'lib/cli.js')
if (isCheckout) {
  const { bundle } = await import('./bundle.js')
  await bundle(join(root, 'cli/main.ts'), program)
}
await import(pathToFileURL(program).href)
