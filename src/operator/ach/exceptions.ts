import { listExceptions } from '../../providers/builtin/ach/incoming/exceptions.ts'
import { readArguments, type Surroundings } from '../command.ts'
import { cellColumn, labelled, ofOwners, visitCells } from '../organisations/cells.ts'
import type { Output } from '../output.ts'
import { dollars } from './check.ts'

const headings = {
  ...{ id: 'ID', organisationId: 'ORGANISATION', fileId: 'FILE', line: 'LINE', kind: 'KIND', direction: 'DIRECTION' },
  ...{ amount: 'AMOUNT', paymentId: 'PAYMENT', createdAt: 'CREATED', detail: 'DETAIL' },
}

/** Lists files and entries that need the operator. */
export function exceptions(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  readArguments(args, usage)
  return async ({ config, out, closers }) => {
    const settings = config()
    const found = await visitCells(settings, labelled(settings, listExceptions), closers)
    const rows = ofOwners(found.flat()).map((row) => recordOf(row, out))
    out.table(rows, { ...headings, ...cellColumn(settings) })
  }
}

type OpenException = Awaited<ReturnType<typeof listExceptions>>[number]

/** An exception with ids as the API has them. Amounts are cents in JSON and dollars for people. */
function recordOf({ epoch: _, ...exception }: OpenException & { cell?: string }, { json }: Output) {
  const { id, organisationId, fileId, paymentId, amount } = exception
  return {
    ...exception,
    id: String(id),
    organisationId: String(organisationId),
    fileId: String(fileId),
    paymentId: paymentId === null ? null : String(paymentId),
    amount: json ? amount : dollars(amount),
  }
}
