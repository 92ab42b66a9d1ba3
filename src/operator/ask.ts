import { UsageError } from '../../ground/failure.ts'
import type { OperatorCall } from './command.ts'

/** Asks before something is lost. Without a terminal nobody can answer, so `--yes` is needed. */
export async function agreed(
  { options, out, confirm }: Pick<OperatorCall, 'options' | 'out' | 'confirm'>,
  question: string,
): Promise<boolean> {
  if (options.yes === true) return true
  if (!out.interactive) throw new UsageError('there is no terminal to ask on: repeat with --yes')
  return confirm(question)
}
