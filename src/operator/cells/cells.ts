import { type OperatorCommand, UsageError } from '../command.ts'
import { listCells } from './list.ts'
import { retire } from './retire.ts'
import { USAGE } from './usage.ts'

/** Lists cells, and retires one that has no organisations any more. */
export const cells: OperatorCommand = ([command, ...args]) => {
  if (command === 'list') return listCells(args)
  if (command === 'retire') return retire(args)
  throw new UsageError(USAGE)
}
