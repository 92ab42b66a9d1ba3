import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { root } from '../harness.ts'

/** The packages by the names that their users know them by. */
const packages = {
  'purser-client': join(root, 'client/src/index.ts'),
  'purser/testing': join(root, 'testing/index.ts'),
}

/** Compiles a file of samples and returns its exports. */
export function importSamples<Exports>(text: string): Promise<Exports> {
  return withSamples(text, (path) => import(/* @vite-ignore */ pathToFileURL(path).href))
}

/**
 * Checks the types of a file of samples as a strict project does, makes a program of it, and hands over its path. Throws
 * with the errors of the compiler.
 */
export async function withSamples<Outcome>(text: string, use: (path: string) => Promise<Outcome>): Promise<Outcome> {
  const folder = folderWithPackages()
  try {
    const source = join(folder, 'samples.ts')
    writeFileSync(source, text)
    const paths = Object.fromEntries(Object.entries(packages).map(([name, path]) => [name, [path]]))
    const compilerOptions = { paths, noUnusedLocals: false, noUnusedParameters: false }
    const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files: ['samples.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    checkTypes(folder)
    const outfile = join(folder, 'samples.mjs')
    buildSync({
      entryPoints: [source],
      outfile,
      bundle: true,
      alias: packages,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
    })
    return await use(outfile)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Makes a folder in which programs find the packages of this checkout. It is outside the checkout, because other tests
 * copy `node_modules` at the same time.
 */
export function folderWithPackages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-samples-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Puts the packages if programs in a folder find them, as an install does. */
export function installPackages(folder: string): void {
  for (const [name, entry] of Object.entries(packages)) {
    const [owner = '', part] = name.split('/')
    const place = join(folder, 'node_modules', owner)
    mkdirSync(place, { recursive: true })
    const exported = { [part ? `./${part}` : '.']: './index.js' }
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: owner, type: 'module', exports: exported }))
    const outfile = join(place, 'index.js')
    buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' })
  }
}

function checkTypes(folder: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    throw new Error(`the samples do not compile:\n${(error as { stdout: string }).stdout}`)
  }
}
