import { startPurser } from '../../../testing/index.ts'

/** A test process that starts a bank on a folder and never stops it. */
const [dataDir = ''] = process.argv.slice(2)
const { url } = await startPurser({ dataDir })
process.stdout.write(`${url}\n`)
setInterval(() => undefined, 1_000)
