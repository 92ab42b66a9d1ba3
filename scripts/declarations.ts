import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const compiler = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')

/**
 * Writes the declarations of a project into a folder. The compiler keeps `.ts` in their imports; they are published beside
 * JavaScript and get its extension.
 */
export function writeDeclarations(project: string, folder: string): void {
  // All of them: a compiler that remembers its last run writes only those that have changed since.
  const whole = ['--incremental', 'false', '--tsBuildInfoFile', 'null']
  execFileSync(process.execPath, [compiler, '-p', project, ...whole], { stdio: 'inherit' })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8').replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
    // A tab in place of four spaces: a hundredth of the packed client.
    const indented = text.replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4))
    writeFileSync(path, indented)
  }
}
