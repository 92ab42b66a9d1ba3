import { type DestinationStream, type LevelWithSilent, type Logger, pino, symbols } from 'pino'
import { clock } from '../base/clock.ts'
import { quoted } from '../base/text.ts'

export type Log = Logger
export type LogLevel = LevelWithSilent

export interface LogOptions {
  /** Whether people read it. */
  terminal: boolean
  /** The number of this process in every line, if there are several. */
  process?: number
  /** Writes whole lines; to standard output unless it is given. */
  write?(lines: string): void
}

/** A log of JSON lines, or of short readable lines on a terminal. */
export function openLog(level: LogLevel, { terminal, process: number, write }: LogOptions): Log {
  const base = number === undefined ? null : { process: number }
  const options = { level, base, timestamp: () => `,"time":"${clock.now().toISOString()}"` }
  if (terminal) return pino(options, readable(write ?? ((lines) => void process.stdout.write(lines))))
  return pino(options, write ? { write } : buffered(pino.destination({ fd: 1, sync: false })))
}

const MAX_BUFFERED_CHARACTERS = 64 * 1024
const MAX_BUFFERED_MS = 100

/** Writes lines together: a system call for each of thousands a second would cost more than the requests. */
function buffered(destination: ReturnType<typeof pino.destination>) {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  function flushLines(): void {
    clearTimeout(timer)
    timer = undefined
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  return {
    write(line: string): void {
      lines += line
      if (lines.length > MAX_BUFFERED_CHARACTERS) flushLines()
      else timer ??= setTimeout(flushLines, MAX_BUFFERED_MS)
    },
    flush(done?: (error?: Error) => void): void {
      flushLines()
      destination.flush(done)
    },
  }
}

export interface RequestLine {
  method: string
  path: string
  status: number
  ms: number
  requestId: string
}

/** Logs requests. The line is written by hand: pino's own way took a tenth of the time of a read. */
export function requestLog(log: Log): (line: RequestLine) => void {
  const { [symbols.streamSym]: stream } = log as unknown as Record<symbol, DestinationStream>
  if (!stream || !log.isLevelEnabled('info')) return () => undefined
  const own = Object.entries(log.bindings()).map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
  const start = `{"level":30,${own.join('')}"time":"`
  return ({ method, path, status, ms, requestId }) =>
    stream.write(
      `${start}${clock.now().toISOString()}","method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms},"requestId":${quoted(requestId)}}\n`,
    )
}

function readable(write: (line: string) => void): DestinationStream {
  return {
    write(line) {
      const { time, process: number, msg, method, path, status, ms, requestId, err } = JSON.parse(line)
      const text = method ? `${status} ${method} ${path} ${ms} ms` : msg
      const start = `${time.slice(11, 23)}  ${number === undefined ? '' : `[${number}] `}`
      write(`${start}${text}${requestId ? `  ${requestId}` : ''}\n${err ? `${err.stack}\n` : ''}`)
    },
  }
}
