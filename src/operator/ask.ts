import { createInterface } from 'node:readline/promises'
import { UsageError } from './command.ts'

/** Asks before something is lost. Without a terminal nobody can answer, so `--yes` is needed. */
export async function agreed(question: string, yes: boolean): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY) throw new UsageError('there is no terminal to ask on: repeat with --yes')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // A Ctrl-C at the question arrives here and not as a signal.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  const answer = await Promise.race([lines.question(`${question} (y/N) `), ended])
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}
