import { Compile } from 'typebox/compile'
import type { Operation } from '../../src/base/operation.ts'
import { withOpenWords } from '../../src/base/text.ts'

/** The faults of an answer's data under the operation's schema, where enumerations that may grow take any word. */
export function answerFaults({ data }: Pick<Operation, 'data'>, answered: unknown) {
  return Compile(withOpenWords(data)).Errors(answered)
}
