import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ZipCode } from '../../rewards/offers/sample-catalogue.ts'

const NEWLINE = 10
const DIGITS = 5
let lines: Buffer | undefined

/** Finds a ZIP code of five digits in the file with one a line, in their order. The first look-up reads the file. */
export function findZipCode(zip: string): ZipCode | undefined {
  lines ??= readFileSync(join(packageFolder(import.meta.dirname), 'assets/zip-codes.tsv'))
  const [found, lat, long, city = '', state = ''] = lineAbout(lines, zip).split('\t')
  return found === zip ? { zip, lat: Number(lat), long: Number(long), city, state } : undefined
}

/** The line of the ZIP code; another one if there is none. */
function lineAbout(file: Buffer, zip: string): string {
  let first = 0
  let end = file.length
  for (;;) {
    const start = file.lastIndexOf(NEWLINE, ((first + end) >> 1) - 1) + 1
    const next = file.indexOf(NEWLINE, start) + 1
    const here = file.toString('latin1', start, start + DIGITS)
    if (here < zip) first = next
    else end = start
    if (here === zip || first >= end) return file.toString('utf8', start, next - 1)
  }
}

/** The sources and the programs that are built from them are in folders of the package. */
function packageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder))
}
