import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { root } from '../harness.ts'

/** The packages by the names that their users know them by. */
const packages = {
  'purser-client': join(root, 'client/src/index.ts'),
  'purser/testing': join(root, 'testing/index.ts'),
}

/** Checks the types of a file of samples as a strict project does, and returns its exports. Throws with the errors of the compiler. */
export async function compileSamples<Exports>(text: string): Promise<Exports> {
  // Inside the checkout, so that `@types/node` and other packages are found.
  const folder = mkdtempSync(join(root, 'node_modules/.samples-'))
  try {
    const source = join(folder, 'samples.ts')
    writeFileSync(source, text)
    const paths = Object.fromEntries(Object.entries(packages).map(([name, path]) => [name, [path]]))
    const compilerOptions = { paths, noUnusedLocals: false, noUnusedParameters: false }
    const extended = join(root, 'tsconfig.json')
    const settings = { extends: extended, compilerOptions, include: [], files: ['samples.ts'] }
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
    return await import(/* @vite-ignore */ pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
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
