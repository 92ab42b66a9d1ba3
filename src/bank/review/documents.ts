import type { Document } from '../../banking/applications/document.ts'
import { type ConcurrencyLimit, concurrencyLimit } from '../../base/concurrency-limit.ts'
import { idNumber } from '../../base/ids.ts'
import { type Answer, emptyAnswer, FileContent, randomKey, type Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { emitSealed } from '../../events/event.ts'
import type { DocumentDecision, DocumentView, Review } from '../../review/review.ts'
import { findApplicationOf } from '../customers/applications.sql.ts'
import { documentOf } from '../customers/applications.ts'
import { reviewDocument } from '../customers/documents.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { countView, findFile, type StoredFile } from './documents.sql.ts'

/** Approves or rejects a document that is found by its own id. */
export async function decideDocument(
  bank: BankParts,
  write: Write<Document>,
  { documentId, ...input }: DocumentDecision,
  operationId: 'approveReviewDocument' | 'rejectReviewDocument',
): Promise<Answer> {
  const applicationId = await findApplicationOf(bank.database, write.caller.organisationId, idNumber(documentId))
  if (applicationId === undefined) throw unknownDocument()
  return reviewDocument(bank, write, { ...input, documentId, applicationId: String(applicationId) }, operationId)
}

/** Files that are read and decrypted at a time: each takes up to 60 MiB of memory, and a connection while it is read. */
const MAX_VIEWS = 3
const MAX_VIEWS_OF_ORGANISATION = 2
const VIEW_WAIT_MS = 10_000

/** Opens the reading of files, with a limit of those that are read at a time. */
export function viewsOf(bank: BankParts): Review['getReviewDocumentContent'] {
  const views = concurrencyLimit({ total: MAX_VIEWS, perOrganisation: MAX_VIEWS_OF_ORGANISATION, waitMs: VIEW_WAIT_MS })
  return (view) => getReviewDocumentContent(bank, views, view)
}

/** Returns a file of a document. The look is recorded in the transaction that reads the file. */
function getReviewDocumentContent(
  { seals, runOnce }: BankParts,
  views: ConcurrencyLimit,
  { caller, requestId, documentId, side }: DocumentView,
): Promise<FileContent> {
  const { organisationId } = caller
  return views(organisationId, async () => {
    const seal = await seals.of(organisationId)
    const id = idNumber(documentId)
    let file: StoredFile | undefined
    const write: Write<void> = { caller, requestId, key: randomKey(), render: () => emptyAnswer }
    await runOnce.transaction(write, async (transaction, events) => {
      const document = await countView(transaction, organisationId, id)
      if (!document) throw unknownDocument()
      file = await findFile(transaction, id, side)
      if (!file) throw new Problem('document_not_uploaded')
      emitSealed(events, document.applicationId, 'document.viewed', document.version, documentOf(document))
    })
    if (!file) throw new Error('a transaction that read a file is without it')
    const { contentType, sealedContent } = file
    const column = { table: 'document_file', row: `${id}/${side}`, column: 'sealed_content' }
    const ending = contentType === 'application/pdf' ? 'pdf' : contentType === 'image/png' ? 'png' : 'jpg'
    return new FileContent(seal.unseal(sealedContent, column), contentType, `document-${id}-${side}.${ending}`)
  })
}

function unknownDocument(): Problem {
  return new Problem('document_not_found', { detail: 'There is no document with this id.' })
}
