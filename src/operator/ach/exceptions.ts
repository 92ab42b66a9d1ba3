import { listExceptions } from '../../bank/ach/incoming/exceptions.ts'
import { cellColumn, labelled, notingAway, ofOwners, visitCells } from '../../cells/visit.ts'
import type { OperatorCommand } from '../command.ts'

const headings = (cell: { cell?: string }) => ({
  ...{ id: 'ID', kind: 'KIND', amount: 'AMOUNT', detail: 'DETAIL', ...cell, direction: 'DIRECTION' },
  ...{ organisationId: 'ORGANISATION', fileId: 'FILE', line: 'LINE', paymentId: 'PAYMENT', createdAt: 'CREATED' },
})

/** Lists files and entries that need the operator, of the cells that are there. */
export const listOpenExceptions: OperatorCommand = async ({ config, out, closers }) => {
  const settings = config()
  const away = notingAway(out)
  const found = await visitCells(settings, labelled(settings, listExceptions), closers, away.note)
  const rows = ofOwners(found.flat()).map(recordOf)
  await out.records(rows, headings(cellColumn(settings)), { money: ['amount'] })
  return away.code()
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
