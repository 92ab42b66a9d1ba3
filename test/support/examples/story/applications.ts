import { applicant, type World } from '../../world.ts'
import type { Call } from './cast.ts'

/** A picture of a document. */
const file = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Applications in every state, by the SSN that decides about them in the sandbox. */
export async function apply(call: Call): Promise<Pick<World, 'application' | 'document'>> {
  const begin = async (ssn: string) => {
    const { id, documents } = await call('createApplication', { body: { ...applicant, ssn } })
    return { applicationId: id, documentId: documents[0]?.id }
  }
  const first = await begin('000000003')
  await call('uploadDocumentFront', { params: first, body: { file, contentType: 'image/png' } })
  await call('uploadDocumentBack', { params: first, body: { file, contentType: 'image/png' } })
  const [approved, rejected] = [await begin('000000003'), await begin('000000003')]
  await call('approveDocument', { params: approved, body: {} })
  await call('rejectDocument', { params: rejected, body: { reason: 'The picture is blurred' } })
  await begin('000000001')
  for (const verdict of ['approveApplication', 'denyApplication']) {
    const { applicationId } = await begin('000000004')
    await call(verdict, { params: { applicationId } })
  }
  await call('getApplication', { params: { applicationId: rejected.applicationId } })
  return { application: rejected.applicationId, document: rejected.documentId }
}

/** Applications that a person decides about, by a key of its own. */
export async function reviewApplications(call: Call): Promise<void> {
  const { key } = await call('createApiKey', { body: { name: 'Reviewer', scopes: ['review:write'] } })
  const begin = async () => (await call('createApplication', { body: { ...applicant, ssn: '000000004' } })).id as string
  const request = async (applicationId: string) =>
    (await call('requestReviewDocument', { key, params: { applicationId }, body: { reason: 'The address is new' } })).id
  const [approved, denied] = [await begin(), await begin()]
  const documentId = await request(approved)
  const upload = { applicationId: approved, documentId }
  await call('uploadDocumentFront', { params: upload, body: { file, contentType: 'image/png' } })
  await call('listReviewApplications', { key, query: { limit: 2 } })
  await call('getReviewDocumentContent', { key, params: { documentId }, query: { side: 'front' } })
  await call('approveReviewApplication', { key, params: { applicationId: approved }, body: { reason: 'All checked' } })
  const [clear, blurred] = [await request(denied), await request(await begin())]
  await call('approveReviewDocument', { key, params: { documentId: clear }, body: { reason: 'Seen at the branch' } })
  const reason = 'The picture is blurred'
  await call('rejectReviewDocument', { key, params: { documentId: blurred }, body: { reason } })
  const body = { reason: 'The identity could not be verified' }
  await call('denyReviewApplication', { key, params: { applicationId: denied }, body })
}
