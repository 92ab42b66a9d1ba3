import { listExceptions } from '../../providers/builtin/ach/incoming/exceptions.ts'
import { readArguments, type Surroundings } from '../command.ts'
import { cellColumn, labelled, ofOwners, visitCells } from '../organisations/cells.ts'

const headings = {
  ...{ id: 'ID', organisation: 'ORGANISATION', file: 'FILE', line: 'LINE', kind: 'KIND', direction: 'DIRECTION' },
  ...{ amount: 'AMOUNT', payment: 'PAYMENT', created: 'CREATED', detail: 'DETAIL' },
}

/** Lists files and entries that need the operator. */
export function exceptions(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  readArguments(args, usage)
  return async ({ config, out, closers }) => {
    const settings = config()
    const found = await visitCells(settings, labelled(settings, listExceptions), closers)
    const rows = ofOwners(found.flat()).map(({ epoch: _, ...row }) => row)
    out.table(rows, { ...headings, ...cellColumn(settings) })
  }
}
