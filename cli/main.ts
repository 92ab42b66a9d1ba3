import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exitCodes } from '../ground/failure.ts'
import { runCommandLine } from './run.ts'

/** A Ctrl-C under npm arrives twice, from the terminal and from npm. */
const SAME_CTRL_C_MS = 500

/** Ends the process by a signal, unless the command has asked for it and ends by itself. */
function interruption(): { signal(): AbortSignal; happened(): boolean } {
  const controller = new AbortController()
  let handled = false
  let firstMs = 0
  const handle = (code: number) => {
    if (!handled || (firstMs > 0 && performance.now() - firstMs > SAME_CTRL_C_MS)) process.exit(code)
    firstMs ||= performance.now()
    controller.abort(code)
  }
  process.on('SIGINT', () => handle(exitCodes.interrupted))
  process.on('SIGTERM', () => handle(exitCodes.terminated))
  return {
    signal: () => {
      handled = true
      return controller.signal
    },
    happened: () => controller.signal.aborted,
  }
}

/** The version of the package that this program is part of. */
function versionOf(folder: string): string {
  const path = join(folder, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : versionOf(dirname(folder))
}

// A reader such as `head` that has seen enough is no fault.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
}
const { env: environment, stdin, stdout, stderr } = process
const version = versionOf(import.meta.dirname)
// The process then ends by itself, with all output written.
process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment,
  stdin,
  stdout,
  stderr,
  version,
  interruption,
})
