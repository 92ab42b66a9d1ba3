import { listExceptions } from '../../providers/builtin/ach/incoming/exceptions.ts'
import { readArguments, type Surroundings } from '../command.ts'
import { cellColumn, labelled, notingAway, ofOwners, visitCells } from '../organisations/cells.ts'

const headings = (cell: { cell?: string }) => ({
  ...{ id: 'ID', kind: 'KIND', amount: 'AMOUNT', detail: 'DETAIL', ...cell, direction: 'DIRECTION' },
  ...{ organisationId: 'ORGANISATION', fileId: 'FILE', line: 'LINE', paymentId: 'PAYMENT', createdAt: 'CREATED' },
})

/** Lists files and entries that need the operator, of the cells that are there. */
export function exceptions(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  readArguments(args, usage)
  return async ({ config, out, closers }) => {
    const settings = config()
    const found = await visitCells(settings, labelled(settings, listExceptions), closers, notingAway(out))
    const rows = ofOwners(found.flat()).map(recordOf)
    out.table(rows, headings(cellColumn(settings)), { money: ['amount'] })
  }
}

type OpenException = Awaited<ReturnType<typeof listExceptions>>[number]

/** An exception with ids as the API has them. */
function recordOf({ epoch: _, ...exception }: OpenException & { cell?: string }) {
  const { id, organisationId, fileId, paymentId } = exception
  return {
    ...exception,
    id: String(id),
    organisationId: String(organisationId),
    fileId: String(fileId),
    paymentId: paymentId === null ? null : String(paymentId),
  }
}
