import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { writeDeclarations } from './declarations.ts'

/** Builds the parts of the package `purser`: the service, the command line, the test kit with the client, the types. */
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

rmSync(built, { recursive: true, force: true })
bundle('src/main.ts', 'main.js')
bundle('src/operator.ts', 'operator.js')
bundle('testing/index.ts', 'testing.js')
bundle('cli/main.ts', 'cli.js')
writeDeclarations(join(root, 'testing'), join(built, 'types'))
