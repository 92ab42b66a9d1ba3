import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientFiles } from './client/files.ts'

/** Writes the generated part of the client anew; a test compares the committed files with the operations. */
const root = join(import.meta.dirname, '..')
for (const [path, text] of Object.entries(clientFiles())) writeFileSync(join(root, path), text)
