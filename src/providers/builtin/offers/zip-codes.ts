import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const MAX_BYTES = 64 * 1024 * 1024

/**
 * Runs in a process of its own, because the package is 5 MB of source that becomes 90 MB of memory, for a table that is
 * filled once. Mail of the armed forces and embassies has ZIP codes too, some of which lie nowhere: their place is 0, 0.
 */
const program = `
  const { codes } = require(process.argv[1])
  const centres = Object.values(codes)
    .filter(({ country, zip, latitude, longitude }) => country === 'US' && /^\\d{5}$/.test(zip) && (latitude || longitude))
    .map(({ zip, latitude, longitude, city, state }) => ({ zip, lat: latitude, long: longitude, city, state }))
  process.stdout.write(JSON.stringify(centres))`

/** The centres of all ZIP codes, as a JSON text. */
export async function readZipCodes(): Promise<string> {
  const require = createRequire(import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, require.resolve('zipcodes')], {
    maxBuffer: MAX_BYTES,
  })
  return stdout
}
