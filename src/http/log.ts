import { type DestinationStream, type LevelWithSilent, type Logger, pino, symbols } from 'pino'
import { clock } from '../base/clock.ts'
import { quoted } from '../base/text.ts'

export type Log = Logger
export type LogLevel = LevelWithSilent

/** JSON lines, or short readable ones on a terminal. */
export function openLog(level: LogLevel, terminal: boolean): Log {
  const options = { level, base: null, timestamp: () => `,"time":"${isoTime()}"` }
  return pino(options, terminal ? readable : gathered(pino.destination({ fd: 1, sync: false })))
}

const GATHERED_CHARACTERS = 64 * 1024
const GATHERED_MS = 100

/** Lines go out together: one system call for each of thousands a second would cost more than the requests. */
function gathered(destination: ReturnType<typeof pino.destination>) {
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  function passOn(): void {
    clearTimeout(timer)
    timer = undefined
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  return {
    write(line: string): void {
      lines += line
      if (lines.length > GATHERED_CHARACTERS) passOn()
      else timer ??= setTimeout(passOn, GATHERED_MS)
    },
    flush(done?: (error?: Error) => void): void {
      passOn()
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

/** Logs requests. Its line is put together by hand, because pino's own way took a tenth of the time of a read. */
export function requestLog(log: Log): (line: RequestLine) => void {
  const { [symbols.streamSym]: stream } = log as unknown as Record<symbol, DestinationStream>
  if (!stream || !log.isLevelEnabled('info')) return () => undefined
  return ({ method, path, status, ms, requestId }) =>
    stream.write(
      `{"level":30,"time":"${isoTime()}","method":"${method}","path":${quoted(path)},"status":${status},"ms":${ms},"requestId":${quoted(requestId)}}\n`,
    )
}

let last = { ms: 0, text: '' }

/** Many lines fall into one millisecond. */
function isoTime(): string {
  const ms = clock.nowMs()
  if (ms !== last.ms) last = { ms, text: clock.now().toISOString() }
  return last.text
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
