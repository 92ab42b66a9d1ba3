import type { OperatorCommand } from '../src/operator/command.ts'
import type { Command } from './command.ts'

/** The option of every command that works on the database itself. */
export const dataDirOption = {
  flags: '--data-dir <folder>',
  description: 'Folder of the embedded database (default: PURSER_DATA_DIR, then ./data)',
}

/**
 * Carries out a command that works on the database or on files itself. It needs a large part of the service, which is loaded when
 * it is called. Cells that are retired are left out, unless the command knows of them.
 */
export function operated(load: () => Promise<OperatorCommand>, { knowsRetired = false } = {}): Command['run'] {
  return async (call) => {
    if (call.dryRun) {
      call.out.note('The command was understood, and nothing was done.')
      return 0
    }
    const { operate } = await import('../src/operator.ts')
    return operate(await load(), call, { knowsRetired })
  }
}
