import type { OperatorCommand } from '../src/operator/command.ts'
import type { Command } from './command.ts'

/** The option of every command that works on the database itself. */
export const dataDirOption = {
  flags: '--data-dir <folder>',
  description: 'Folder of the embedded database (default: PURSER_DATA_DIR, then ./data)',
}

export const onDatabase = 'Works on the database itself, so it needs no key, and the service may run or not.'

/** A command of the operator. Its work is loaded when it is called. */
interface Definition extends Omit<Command, 'group' | 'isLocal' | 'run'> {
  load: () => Promise<OperatorCommand>
  /** Whether cells that are retired take part. */
  knowsRetired?: boolean
}

/** A command that works on the database or on files itself. It needs a large part of the service. */
export function operatorCommand({ load, knowsRetired = false, ...command }: Definition): Command {
  const run: Command['run'] = async (call) => {
    if (call.dryRun) {
      call.out.note('The command was understood, and nothing was done.')
      return 0
    }
    const { operate } = await import('../src/operator.ts')
    return operate(await load(), call, { knowsRetired })
  }
  return { ...command, group: 'Operate', isLocal: true, run }
}
