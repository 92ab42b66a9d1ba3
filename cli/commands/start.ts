import type { Command } from '../command.ts'
import { dataDirOption } from '../operate.ts'
import { runProgram, service } from '../own-program.ts'

export const start: Command = {
  path: 'start',
  summary: 'Starts the service',
  description: `Starts the service with an embedded PostgreSQL server, or on the one of DATABASE_URL. The first start creates a bank with
sample records. Ctrl-C stops it. All settings are variables of the environment; the options are short for the most common.`,
  group: 'Service',
  isLocal: true,
  options: [
    { flags: '--port <number>', description: 'Port to listen on (default: PORT, then 4000; 0 takes a free one)' },
    { flags: '--host <address>', description: 'Address to listen on (default: HOST, then 127.0.0.1)' },
    dataDirOption,
    {
      flags: '--mode <mode>',
      description: 'sandbox or live (default: PURSER_MODE, then sandbox)',
      choices: ['sandbox', 'live'],
    },
    { flags: '--no-demo', description: 'Start without the demo records' },
  ],
  examples: [
    { run: 'purser start', does: 'Starts the service on port 4000, with its data in ./data', lasting: true },
    { run: 'purser start --port 0 --no-demo', does: 'Starts an empty bank on a free port', lasting: true },
  ],
  run: (call) => {
    const { port, host, dataDir, mode } = call.options as Record<string, string | undefined>
    const settings = {
      PORT: port,
      HOST: host,
      PURSER_DATA_DIR: dataDir,
      PURSER_MODE: mode,
      PURSER_DEMO: call.options.demo === false ? 'off' : undefined,
    }
    return runProgram(service, [], { call, settings })
  },
}
