import { outputTo } from '../../../ground/output.ts'
import { openClosers } from '../../../src/base/closers.ts'
import { start } from '../../../src/cells/commands/move.ts'
import { parseConfig } from '../../../src/config.ts'

/** The command that moves an organisation, which kills itself at a step. */
const [name = '', to = '', step = ''] = process.argv.slice(2)
const silent = { write: () => undefined }
const out = outputTo({ json: true, environment: {}, stdin: {}, stdout: silent, stderr: silent })
await start(
  { config: () => parseConfig(process.env), closers: openClosers(), out },
  { name, to, reach: undefined },
  (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  },
)
