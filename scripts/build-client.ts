import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
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
  // Comments and indents would be a kilobyte of the package, which has 80.
  minifyWhitespace: true,
})
mkdirSync(commonModules)
// Every supported version of Node.js requires ES modules, so that there is one copy of the client.
writeFileSync(join(commonModules, 'index.js'), "module.exports = require('../index.js')\n")
writeDeclarations(folder, modules)
// TypeScript takes the kind of module that declarations describe from the nearest package.json. ES modules may refer to those of
// CommonJS, but not the other way round: all are of CommonJS, and one line is of ES modules.
for (const name of readdirSync(modules).filter((each) => each !== 'cjs' && each !== 'index.js')) {
  renameSync(join(modules, name), join(commonModules, name))
}
writeFileSync(join(modules, 'index.d.ts'), "export * from './cjs/index.js'\n")
writeFileSync(join(commonModules, 'package.json'), '{ "type": "commonjs" }\n')
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
