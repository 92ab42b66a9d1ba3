import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../../..')

/** Packages of the CommonJS kind expect this name. */
const banner = `
import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)`

/** A package that reads files of its own folder. */
const separate = 'pdfkit'

/**
 * Bundles the service with its packages: a run starts it some hundred times, and a start that loads every package by
 * itself takes a quarter longer. Parts that the service imports later become files of their own, beside `target`.
 */
export async function bundleService(target: string): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = basename(target, '.js')
  await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: dirname(target),
    entryNames: name,
    chunkNames: `${name}-[hash]`,
    bundle: true,
    splitting: true,
    external: [...Object.keys(dependencies), separate],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: banner },
    logLevel: 'error',
  })
}

/** Removes a bundle with all its files. */
export function removeBundle(target: string): void {
  const folder = dirname(target)
  const name = basename(target, '.js')
  const files = existsSync(folder) ? readdirSync(folder).filter((each) => each.startsWith(name)) : []
  for (const file of files) rmSync(join(folder, file), { force: true })
}
