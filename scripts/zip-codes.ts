import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleLines } from './sample-lines.ts'
import { zipCodeLines } from './zip-code-lines.ts'

const assets = join(import.meta.dirname, '../assets')

/** Writes the files of assets from the package zipcodes and the sample catalogue; a test compares them. */
const { merchants, offers } = sampleLines()
writeFileSync(join(assets, 'zip-codes.tsv'), zipCodeLines())
writeFileSync(join(assets, 'sample-merchants.tsv'), merchants)
writeFileSync(join(assets, 'sample-offers.tsv'), offers)
