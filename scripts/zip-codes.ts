import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipCodeLines } from './zip-code-lines.ts'

/** Writes assets/zip-codes.tsv from the package zipcodes; a test compares the two. */
writeFileSync(join(import.meta.dirname, '../assets/zip-codes.tsv'), zipCodeLines())
