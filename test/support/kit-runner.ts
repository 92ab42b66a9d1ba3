import { startPurser } from '../../testing/index.ts'

/** A test process that starts a bank and never stops it. */
const { url } = await startPurser()
process.stdout.write(`${url}\n`)
setInterval(() => undefined, 1_000)
