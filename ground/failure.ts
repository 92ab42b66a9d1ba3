/** Exit codes beside 0. */
export const exitCodes = { refused: 1, usage: 2, notAllowed: 4, retry: 5, interrupted: 130, terminated: 143 } as const

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** A call without a key, or without the rights that it needs. */
export class NotAllowed extends Error {}

/** A command that was understood and cannot be carried out. */
export class Refusal extends Error {
  readonly code: number

  constructor(message: string, { code = exitCodes.refused, cause }: { code?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.code = code
  }
}
