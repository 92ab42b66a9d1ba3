import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { bundledDeclarations } from './client/bundle.ts'
import { writeDeclarations } from './declarations.ts'

/** Builds the client into client/dist: one file of JavaScript, which CommonJS requires by another, and the types. Its package also holds the license. */
const root = join(import.meta.dirname, '..')
const folder = join(root, 'client')
rmSync(join(folder, 'dist'), { recursive: true, force: true })
const modules = join(folder, 'dist')
const commonModules = join(modules, 'cjs')
buildSync({
  entryPoints: [join(folder, 'src/index.ts')],
  outfile: join(modules, 'index.js'),
  bundle: true,
  platform: 'neutral',
  format: 'esm',
  target: 'es2022',
  // Comments, indents and long names of variables would be two kilobytes of the package. Errors show names of functions and classes.
  minify: true,
  keepNames: true,
})
mkdirSync(commonModules)
// Every supported version of Node.js requires ES modules, so that there is one copy of the client.
writeFileSync(join(commonModules, 'index.js'), "module.exports = require('../index.js')\n")
writeDeclarations(folder, modules)
const paths = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'))
const declarations = Object.fromEntries(paths.map((path) => [path, readFileSync(join(modules, path), 'utf8')]))
for (const path of paths) rmSync(join(modules, path))
rmdirSync(join(modules, 'generated'))
// TypeScript takes the kind of module that declarations describe from the nearest package.json. ES modules may refer to those of
// CommonJS, but not the other way round: all are of CommonJS, and one line is of ES modules.
writeFileSync(join(commonModules, 'index.d.ts'), bundledDeclarations(declarations, 'index.d.ts'))
writeFileSync(join(modules, 'index.d.ts'), "export * from './cjs/index.js'\n")
writeFileSync(join(commonModules, 'package.json'), '{ "type": "commonjs" }\n')
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
