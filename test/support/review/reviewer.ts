import { ask } from '../cards.ts'
import type { Reply, TestBank } from '../harness.ts'
import { applicant } from '../world.ts'

/** A pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const refusalOf = ({ status, json }: Reply) => [status, json.code]

/** An application of a person, in the state in which the bank leaves it. */
export async function apply(bank: TestBank, content: Record<string, unknown> = {}): Promise<string> {
  return (await ask(bank, 'POST', '/v0/banking/applications', { ...applicant, ssn: '123456789', ...content })).id
}

/** A document that a reviewer asks the applicant for. */
export async function requestDocument(bank: TestBank, applicationId: string): Promise<string> {
  return (await ask(bank, 'POST', `/v0/review/applications/${applicationId}/documents`, {})).id
}

/** Uploads a side of a document. */
export function upload(bank: TestBank, applicationId: string, documentId: string, side = ''): Promise<Reply> {
  const path = `/v0/banking/applications/${applicationId}/documents/${documentId}${side}`
  return bank.call('POST', path, { body: { file: PNG, contentType: 'image/png' } })
}

/** Sends a decision of a reviewer. */
export function decide(bank: TestBank, path: string, body: unknown = {}, options = {}): Promise<Reply> {
  return bank.call('POST', `/v0/review/${path}`, { body, ...options })
}

export async function statusOf(bank: TestBank, applicationId: string): Promise<string> {
  return (await ask(bank, 'GET', `/v0/banking/applications/${applicationId}`)).status
}

/** The newest entry of the audit log about a record. */
export async function auditOf(bank: TestBank, action: string, id: string) {
  const entries = await ask(bank, 'GET', '/v0/audit-log')
  return entries.find(
    (entry: { action: string; record: { id: string } | null }) => entry.action === action && entry.record?.id === id,
  )
}
