import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { clock } from '../base/clock.ts'

export type Log = Logger
export type LogLevel = LevelWithSilent

/** JSON lines, or short readable ones on a terminal. */
export function openLog(level: LogLevel, terminal: boolean): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${clock.now().toISOString()}"` }
  // Lines are gathered: one system call for each of thousands a second would cost more than the requests.
  return pino(
    options,
    terminal ? readable : pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 100 }),
  )
}

const readable: DestinationStream = {
  write(line) {
    const { time, msg, method, path, status, ms, requestId, err } = JSON.parse(line)
    const text = method ? `${status} ${method} ${path} ${ms} ms` : msg
    process.stdout.write(
      `${time.slice(11, 23)}  ${text}${requestId ? `  ${requestId}` : ''}\n${err ? `${err.stack}\n` : ''}`,
    )
  },
}
