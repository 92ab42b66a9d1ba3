import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { writeDeclarations } from './declarations.ts'

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
writeDeclarations(folder, join(folder, 'dist'))
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
