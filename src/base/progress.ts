import { clock } from './clock.ts'

/** How far a long piece of work is, on standard error: a bar on a terminal, elsewhere a line a second. */
export interface Progress {
  /** `now` says which part is under way. */
  at(done: number, of: number, now?: string): void
  /** Removes the bar, before other output; the next call of `at` draws it again. */
  clear(): void
}

const BAR_CELLS = 24
const REDRAW_MS = 50
const LINE_MS = 1_000

export function openProgress(label: string): Progress {
  const bar = isTerminal()
  const startedMs = clock.elapsedMs()
  let shownMs = Number.NEGATIVE_INFINITY
  return {
    at(done, of, now) {
      const nowMs = clock.elapsedMs()
      if (nowMs - shownMs < (bar ? REDRAW_MS : LINE_MS)) return
      shownMs = nowMs
      const percent = `${of > 0 ? Math.floor((done / of) * 100) : 0} %`
      const part = now === undefined ? '' : `, ${now}`
      if (bar) draw(`${barOf(done, of)} ${label}  ${percent}  ${secondsSince(startedMs)}${part}`)
      else process.stderr.write(`${label}: ${percent}${part}\n`)
    },
    clear: () => {
      if (bar) erase()
    },
  }
}

/** The steps of a start. On a terminal a line shows the present one and its time; it disappears when all are done. */
export interface Steps {
  run<T>(label: string, work: () => Promise<T>): Promise<T>
  /** Prints a line that stays, above the one of the present step. */
  say(line: string): void
}

export function openSteps(count: number): Steps {
  const live = isTerminal() && process.stdout.isTTY === true
  let done = 0
  let redraw: (() => void) | undefined
  return {
    async run(label, work) {
      const startedMs = clock.elapsedMs()
      redraw = () => draw(`${barOf(done, count)} ${label}  ${secondsSince(startedMs)}`)
      const timer = live ? setInterval(redraw, 2 * REDRAW_MS) : undefined
      try {
        return await work()
      } finally {
        clearInterval(timer)
        done++
        redraw = undefined
        if (live) erase()
      }
    },
    say(line) {
      if (live && redraw) erase()
      process.stdout.write(`${line}\n`)
      if (live) redraw?.()
    },
  }
}

/** A terminal that can draw a line again. With `NO_COLOR`, and on one that knows no such codes, there are plain lines. */
function isTerminal(): boolean {
  return process.stderr.isTTY === true && process.stderr.hasColors()
}

function barOf(done: number, of: number): string {
  const cells = of > 0 ? Math.min(BAR_CELLS, Math.floor((done / of) * BAR_CELLS)) : 0
  return `[${'#'.repeat(cells)}${'-'.repeat(BAR_CELLS - cells)}]`
}

function secondsSince(startedMs: number): string {
  return `${((clock.elapsedMs() - startedMs) / 1_000).toFixed(1)} s`
}

/** Draws the line again; a longer one than the terminal is wide would leave parts behind. */
function draw(text: string): void {
  process.stderr.write(`\r${text.slice(0, (process.stderr.columns || 80) - 1)}\u001b[K`)
}

function erase(): void {
  process.stderr.write('\r\u001b[K')
}
