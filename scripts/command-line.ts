import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliFiles } from './cli/files.ts'

/** Writes the generated part of the command line and its page anew; a test compares the committed files. */
const root = join(import.meta.dirname, '..')
for (const [path, text] of Object.entries(await cliFiles())) writeFileSync(join(root, path), text)
