import { readFileSync, statSync } from 'node:fs'
import { UsageError } from '../ground/failure.ts'
import type { Call } from './command.ts'

/** More than any request of the service may have. */
const MAX_BYTES = 20_000_000

/** The contents of a file that becomes part of a request. */
export function readFile(path: string): Buffer {
  const { size } = statSync(path)
  if (size > MAX_BYTES) throw new UsageError(`${path} is too large: at most ${MAX_BYTES / 1_000_000} MB can be sent`)
  return readFileSync(path)
}

/** The JSON of an option: a text, `@FILE`, or `-` for standard input. */
async function readJson(flag: string, value: string, { input }: Pick<Call, 'input'>): Promise<unknown> {
  const isInput = value === '-' || value === '@-'
  const text = isInput ? await input() : value.startsWith('@') ? readFile(value.slice(1)).toString('utf8') : value
  return parseJson(flag, text)
}

/** The members that an option holds as JSON; none if it is not given. */
export async function readMembers(
  flag: string,
  value: string | undefined,
  call: Pick<Call, 'input'>,
): Promise<Record<string, unknown>> {
  const members = value === undefined ? {} : await readJson(flag, value, call)
  if (typeof members === 'object' && members !== null && !Array.isArray(members)) return { ...members }
  throw new UsageError(`${flag} is no JSON object`)
}

export function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${flag} is not JSON: ${(error as Error).message}`)
  }
}
