/** A refusal to start. The message is one line for the operator that names the remedy. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
