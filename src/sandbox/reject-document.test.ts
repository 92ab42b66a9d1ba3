import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { makeApplication } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

interface Names {
  applicationId: string
  documentId: string
}

const reject = ({ applicationId, documentId }: Names, body?: unknown) =>
  bank.call('POST', `/v0/sandbox/applications/${applicationId}/documents/${documentId}/reject`, { body })
const problem = ({ status, json }: Reply) => [status, json.code]

describe('reject document', () => {
  test('answers the document with the reason, and the application awaits another upload', async () => {
    const names = await makeApplication(bank)
    const { status, json } = await reject(names, { reason: 'The picture is blurred' })
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: names.documentId,
          documentType: 'Passport',
          status: 'Invalid',
          description: 'Upload the photo page of the passport. Rejected: The picture is blurred',
        },
      },
    ])
    const application = await bank.call('GET', `/v0/banking/applications/${names.applicationId}`)
    expect(application.json.data).toMatchObject({ status: 'AwaitingDocuments', documents: [json.data] })

    const path = `/v0/banking/applications/${names.applicationId}/documents/${names.documentId}/back`
    const again = await bank.call('POST', path, { body: { file: 'SGVsbG8=', contentType: 'image/png' } })
    expect(again.json.data).toMatchObject({ status: 'Approved', description: 'Upload the photo page of the passport.' })
  })

  test('accepts a rejection without a reason', async () => {
    const { json } = await reject(await makeApplication(bank))
    expect(json.data).toMatchObject({ status: 'Invalid', description: 'Upload the photo page of the passport.' })
  })

  test('refuses a document that was reviewed already, and names the upload operation', async () => {
    const names = await makeApplication(bank)
    await reject(names)
    const again = await reject(names)
    expect(problem(again)).toEqual([409, 'document_wrong_state'])
    expect(again.json.detail).toContain('POST /v0/banking/applications/:applicationId/documents/:documentId')
    const other = await makeApplication(bank)
    await bank.call('POST', `/v0/sandbox/applications/${other.applicationId}/documents/${other.documentId}/approve`)
    expect(problem(await reject(other))).toEqual([409, 'document_wrong_state'])
  })

  test('refuses a denied application, an unknown application, and a document of another application', async () => {
    const [mine, other] = [await makeApplication(bank), await makeApplication(bank)]
    expect(problem(await reject({ ...mine, applicationId: '1000' }))).toEqual([404, 'application_not_found'])
    expect(problem(await reject({ ...mine, documentId: other.documentId }))).toEqual([404, 'document_not_found'])
    await bank.call('POST', `/v0/sandbox/applications/${mine.applicationId}/deny`)
    expect(problem(await reject(mine))).toEqual([409, 'application_wrong_state'])
  })
})
