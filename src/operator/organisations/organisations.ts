import { type OperatorCommand, UsageError } from '../command.ts'
import { createOrganisation } from './create.ts'
import { limits } from './limits.ts'
import { listOrganisations } from './list.ts'
import { move } from './move-command.ts'
import { USAGE } from './usage.ts'

/** Lists, creates, moves and limits organisations, in all cells. */
export const organisations: OperatorCommand = ([command, ...args]) => {
  if (command === 'list') return listOrganisations(args)
  if (command === 'create') return createOrganisation(args)
  if (command === 'move') return move(args)
  if (command === 'limits') return limits(args)
  throw new UsageError(USAGE)
}
