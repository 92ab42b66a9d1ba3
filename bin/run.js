// Bundles one TypeScript entry point to JavaScript and runs it in this process, so that every `npm run` needs Node alone.
import module from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle } from './bundle.js'
import { showSourcePositions } from './source-positions.js'

const root = join(import.meta.dirname, '..')
const [entry, ...rest] = process.argv.slice(2)
const target = join(root, 'dist', `${basename(entry, '.ts')}.js`)

// The service ends with exit code 0 on a signal, also on one that comes before it has set its own handlers.
if (entry === 'src/main.ts') {
  for (const name of ['SIGINT', 'SIGTERM']) {
    if (process.listenerCount(name) > 0) continue
    process.on(name, () => {
      if (process.listenerCount(name) === 1) process.exit(0)
    })
  }
}

// From Node.js 22 on, the compiled code is kept: see bin/purser.js.
module.enableCompileCache?.(join(root, 'dist/compiled'))
await bundle(join(root, entry), target)
showSourcePositions()
process.argv = [process.argv[0], target, ...rest]
await import(pathToFileURL(target).href)
