import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

/** Builds what the package `purser` holds beside its migrations: the service, the test kit with the client, the types. */
const root = join(import.meta.dirname, '..')
const built = join(root, 'lib')

function bundle(entry: string, name: string): void {
  buildSync({
    entryPoints: [join(root, entry)],
    outfile: join(built, name),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
  })
}

/** The declarations of the test kit and of the client in it, with the extensions that they have in the package. */
function declare(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', join(root, 'testing')], { stdio: 'inherit' })
  const folder = join(built, 'types')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}

rmSync(built, { recursive: true, force: true })
bundle('src/main.ts', 'main.js')
bundle('testing/index.ts', 'testing.js')
declare()
