import { type Config, ConfigError } from '../../config.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import { visitDatabase } from '../../database/visit.ts'
import type { OperatorCall, OperatorCommand } from '../../operator/command.ts'
import { presentCells } from '../retirement.ts'
import { cellsOf } from '../settings.ts'

/** Lets a command work without the cells that are retired. A line warns of each that a variable still names. */
export function withoutRetired(command: OperatorCommand): OperatorCommand {
  return async (call) => {
    const present = await presentSettings(call)
    return (await command(present ? { ...call, config: () => present } : call)) ?? undefined
  }
}

/** Undefined if nothing is left out, or if only the command can say what is wrong: it may not need a database. */
async function presentSettings({ config, out, closers }: OperatorCall): Promise<Config | undefined> {
  try {
    const settings = config()
    if (settings.cells.length === 0) return undefined
    const [home] = cellsOf(settings)
    const cells = await visitDatabase(home, (database) => presentCells(settings.cells, database, out.note), closers)
    return cells.length < settings.cells.length ? { ...settings, cells } : undefined
  } catch (error) {
    if (error instanceof ConfigError || error instanceof DatabaseUnavailable) return undefined
    throw error
  }
}
