#!/usr/bin/env node
// Runs the command line: the one that is built into the package or, in a checkout, the bundle of its sources.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const isCheckout = existsSync(join(root, 'cli/main.ts'))
const program = join(root, isCheckout ? 'dist/cli.js' : 'lib/cli.js')

// The service ends with exit code 0 on a signal, also on one that comes before the command line has its own handlers.
if (process.argv[2] === 'start') {
  for (const name of ['SIGINT', 'SIGTERM']) {
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(0)
    })
  }
}

// From Node.js 22 on, the compiled code is kept beside the program, which then takes a quarter less processor time to load. In
// a folder that cannot be written to, nothing is kept.
module.enableCompileCache?.(join(dirname(program), 'compiled'))
if (isCheckout) {
  try {
    import.meta.resolve('esbuild')
  } catch {
    process.stderr.write('purser: a checkout needs its development packages: run npm ci, without --omit=dev\n')
    process.exit(1)
  }
  const { bundle } = await import('./bundle.js')
  await bundle(join(root, 'cli/main.ts'), program)
}
await import(pathToFileURL(program).href)
