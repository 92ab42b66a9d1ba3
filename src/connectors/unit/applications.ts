import { createApplication } from '../../banking/applications/create-application.ts'
import type { Document, UploadDocumentInput } from '../../banking/applications/document.ts'
import { getApplication } from '../../banking/applications/get-application.ts'
import { uploadDocumentBack } from '../../banking/applications/upload-document-back.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { contentMismatch } from '../../base/file-content.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { application, document, individualApplication, listedApplication } from './mapping/application.ts'
import { type Connector, missingBeside, recordOf } from './parts.ts'
import { byCreation, listQuery, refuseFilters } from './query.ts'

export function applicationsOf({ one, list, create, change }: Connector) {
  async function upload(
    write: Write<Document>,
    { applicationId, documentId, content, contentType }: UploadDocumentInput,
    side: '' | '/back',
  ): Promise<Answer> {
    const mismatch = await contentMismatch(content, contentType)
    if (mismatch) throw new Problem('content_type_mismatch', { detail: mismatch })
    const sent = change(write, uploadDocumentBack, {
      ids: [
        [applicationId, 'application_not_found'],
        [documentId, 'document_not_found'],
      ],
      method: 'PUT',
      path: `/applications/${applicationId}/documents/${documentId}${side}`,
      body: { bytes: content, contentType },
      upload: true,
      read: recordOf(document),
    })
    const owner = {
      operation: getApplication,
      id: applicationId,
      path: `/applications/${applicationId}`,
      missing: 'application_not_found' as const,
    }
    return sent.catch((error: unknown) => missingBeside({ one }, owner, 'document_not_found', error))
  }

  return {
    createApplication: (write, input) =>
      create(write, createApplication, {
        ids: [],
        path: '/applications',
        data: { type: 'individualApplication', attributes: individualApplication(input) },
        map: application,
      }),

    getApplication: (_caller, applicationId) =>
      one(getApplication, [applicationId], `/applications/${applicationId}`, application),

    listApplications: async (_caller, { status, ...page }) => {
      refuseFilters(page, ['search', 'since', 'until'])
      const path = `/applications${listQuery(page, byCreation(page), { status: status && [status] })}`
      return list([], path, page, listedApplication)
    },

    uploadDocumentFront: (write, input) => upload(write, input, ''),
    uploadDocumentBack: (write, input) => upload(write, input, '/back'),
  } satisfies Partial<BankingProvider>
}
