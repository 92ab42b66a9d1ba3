import { readFile } from 'node:fs/promises'
import type { ZipCode } from '../../../rewards/offers/sample-catalogue.ts'

/** Reads the centres of all ZIP codes, in their order, from a file with one a line. */
export async function readZipCodes(file: string): Promise<ZipCode[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => {
    const [zip = '', lat, long, city = '', state = ''] = line.split('\t')
    return { zip, lat: Number(lat), long: Number(long), city, state }
  })
}
