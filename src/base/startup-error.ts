/** A refusal to start, in one clear line for the operator that names the cure. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
