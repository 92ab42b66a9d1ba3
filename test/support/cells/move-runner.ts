import { openClosers } from '../../../src/base/closers.ts'
import { parseConfig } from '../../../src/config.ts'
import { start } from '../../../src/operator/organisations/move-command.ts'

/** The command that moves an organisation, which kills itself at a step. */
const [name = '', to = '', step = ''] = process.argv.slice(2)
const out = { json: true, result: () => undefined, table: () => undefined, note: () => undefined }
await start(
  { config: () => parseConfig(process.env), closers: openClosers(), out },
  { name, to, reach: undefined },
  (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  },
)
