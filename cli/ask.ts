import { createInterface } from 'node:readline/promises'

/** Asks the person at the terminal. Everything but yes is no. */
export async function asked(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // A Ctrl-C at the question arrives here and not as a signal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  const answer = await Promise.race([lines.question(`${question} (y/N) `), ended])
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

/** A line that the person types or pastes; never one if there is no more input, or after the end of `signal`. */
export async function typedLine(signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  signal.addEventListener('abort', () => lines.close())
  return new Promise((resolve) => lines.once('line', resolve))
}
