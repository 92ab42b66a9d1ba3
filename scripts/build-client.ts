import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

/** Builds the client into client/dist: one file of JavaScript, and the types. Its package also holds the license. */
const root = join(import.meta.dirname, '..')
const folder = join(root, 'client')
rmSync(join(folder, 'dist'), { recursive: true, force: true })
buildSync({
  entryPoints: [join(folder, 'src/index.ts')],
  outfile: join(folder, 'dist/index.js'),
  bundle: true,
  platform: 'neutral',
  format: 'esm',
  target: 'es2022',
})
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { stdio: 'inherit' })

// The compiler keeps `.ts` in the imports of declarations, which are published beside JavaScript.
const dist = join(folder, 'dist')
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.d.ts'))) {
  const path = join(dist, name)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
