import '../src/v8.ts'
import { join } from 'node:path'
import { ensureFirstKey } from '../src/access/first-key.ts'
import { openCore } from '../src/backend/core.ts'
import { openClosers } from '../src/base/closers.ts'
import { parseConfig } from '../src/config.ts'
import { startEmbedded } from '../src/database/embedded/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { openLog } from '../src/http/log.ts'
import { storedEncryptionKey } from '../src/secrets/secret-file.ts'
import { openService } from '../src/service.ts'
import { fail } from '../src/startup-errors.ts'

/** Records no event, to measure what events cost. */
const dropEvents = async () => undefined

/** The service as it would be without events. Run by the benchmark with the environment of the service itself. */
const settings = parseConfig(process.env)
const { apiKey = '', dataDir, port, host, logLevel } = settings
const closers = openClosers()
process.once('SIGTERM', () => closers.close().then(() => process.exit(0), fail))

const embedded = await startEmbedded({ dataDir, say: () => undefined, lost: fail })
closers.add(() => embedded.stop())
const core = openCore({
  settings,
  servers: [{ ...embedded.connection, ssl: false }],
  encryptionKeys: [await storedEncryptionKey(dataDir)],
  closers,
  recordEvents: dropEvents,
})
await migrate(core.database, join(import.meta.dirname, '../migrations'))
await ensureFirstKey(core.database, core.ids, { source: 'configured', key: apiKey }, 0)
const docs = join(import.meta.dirname, '../docs')
const console = () => Promise.reject(new Error('The benchmark has none.'))
const log = openLog(logLevel, { terminal: false })
const service = await openService({ core, settings, version: 'bench', docs, console, log })
const address = await service.app.listen({ port, host })
service.backends.start()
process.stdout.write(`listening on ${address}\n`)
