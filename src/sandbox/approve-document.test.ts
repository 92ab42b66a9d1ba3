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

const approve = ({ applicationId, documentId }: Names, body?: unknown) =>
  bank.call('POST', `/v0/sandbox/applications/${applicationId}/documents/${documentId}/approve`, { body })
const problem = ({ status, json }: Reply) => [status, json.code]

describe('approve document', () => {
  test('answers the document, and approves the application with its last document', async () => {
    const names = await makeApplication(bank)
    const { status, json } = await approve(names)
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: names.documentId,
          documentType: 'Passport',
          status: 'Approved',
          description: 'Upload the photo page of the passport.',
        },
      },
    ])
    const application = await bank.call('GET', `/v0/banking/applications/${names.applicationId}`)
    expect(application.json.data).toMatchObject({
      status: 'Approved',
      customerId: expect.any(String),
      documents: [json.data],
    })
  })

  test('leaves the application undecided while another document is missing', async () => {
    const names = await makeApplication(bank)
    await bank.database.query(
      `insert into document (id, organisation_id, application_id, document_type, status)
       select id + 1, organisation_id, application_id, document_type, 'Required' from document where id = $1`,
      [names.documentId],
    )
    await approve(names)
    const path = `/v0/banking/applications/${names.applicationId}`
    expect((await bank.call('GET', path)).json.data.status).toBe('AwaitingDocuments')
    await approve({ ...names, documentId: String(Number(names.documentId) + 1) })
    expect((await bank.call('GET', path)).json.data.status).toBe('Approved')
  })

  test('refuses a document that was reviewed already', async () => {
    const names = await makeApplication(bank)
    await approve(names)
    expect(problem(await approve(names))).toEqual([409, 'document_wrong_state'])
    const other = await makeApplication(bank)
    await bank.call('POST', `/v0/sandbox/applications/${other.applicationId}/documents/${other.documentId}/reject`)
    expect(problem(await approve(other))).toEqual([409, 'document_wrong_state'])
  })

  test('refuses a denied application, an unknown application, and a document of another application', async () => {
    const [mine, other] = [await makeApplication(bank), await makeApplication(bank)]
    expect(problem(await approve({ ...mine, applicationId: '1000' }))).toEqual([404, 'application_not_found'])
    expect(problem(await approve({ ...mine, documentId: other.documentId }))).toEqual([404, 'document_not_found'])
    await bank.call('POST', `/v0/sandbox/applications/${mine.applicationId}/deny`)
    expect(problem(await approve(mine))).toEqual([409, 'application_wrong_state'])
  })
})
