import { visitDatabase } from '../../database/visit.ts'
import { listExceptions } from '../../providers/builtin/ach/incoming/exceptions.ts'
import { readArguments, type Surroundings } from '../command.ts'

const headings = {
  ...{ id: 'ID', organisation: 'ORGANISATION', file: 'FILE', line: 'LINE', kind: 'KIND', direction: 'DIRECTION' },
  ...{ amount: 'AMOUNT', payment: 'PAYMENT', created: 'CREATED', detail: 'DETAIL' },
}

/** Lists files and entries that need the operator. */
export function exceptions(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  readArguments(args, usage)
  return ({ config, out, closers }) =>
    visitDatabase(config(), async (database) => out.table(await listExceptions(database), headings), closers)
}
