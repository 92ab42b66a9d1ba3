import { type Static, Type } from 'typebox'
import { Address } from '../banking/address.ts'
import { Application } from '../banking/applications/application.ts'
import { Document } from '../banking/applications/document.ts'
import { RecordId } from '../base/ids.ts'
import { described, Timestamp, Word } from '../base/text.ts'

const DocumentFileFacts = Type.Object(
  {
    side: Type.Enum(['front', 'back'], { description: 'Side of the document' }),
    contentType: Type.String({ description: 'Media type of the file', examples: ['image/png'] }),
    uploadedAt: described(Timestamp, 'Time of the upload, in bank time'),
  },
  { $id: 'DocumentFileFacts', description: 'A file of a document, without its content' },
)

const ReviewDocument = Type.Object(
  {
    ...Document.properties,
    files: Type.Array(DocumentFileFacts, {
      description: 'The files that were uploaded. `GET /v0/review/documents/:documentId/content` returns them',
    }),
  },
  { $id: 'ReviewDocument', description: 'A document of an application, as its reviewer sees it' },
)

const SamePerson = Type.Object(
  {
    type: Type.Enum(['customer', 'application'], { description: 'Kind of the other record' }),
    id: RecordId('Id of the other record'),
    name: Type.String({ description: 'Name in the other record', examples: ['Ada Example'] }),
    status: Type.String({ description: 'Status of the other record', examples: ['Active'] }),
    on: Type.Array(Type.Enum(['address', 'email', 'phone', 'ssn']), {
      description: 'The parts that are the same: street and postal code, e-mail, phone, or social security number',
    }),
  },
  { $id: 'SamePerson', description: 'Another customer or application with some of the same personal data' },
)
export type SamePerson = Static<typeof SamePerson>

const { documents: _documents, ...members } = Application.properties

/** An application as its reviewer sees it, with the personal data that a decision needs. */
export const ReviewApplication = Type.Object(
  {
    ...members,
    screening: Type.Union([Word(['pass', 'review', 'refuse']), Type.Null()], {
      description: 'Answer of the screening about the person; null if it was not asked',
    }),
    dateOfBirth: Type.String({ format: 'date', description: 'Day of birth', examples: ['1990-01-31'] }),
    ssnLastDigits: Type.String({
      description: 'The last four digits of the social security number',
      examples: ['6789'],
    }),
    phone: Type.String({ description: 'Phone number', examples: ['+12125550123'] }),
    address: Address,
    samePeople: Type.Array(SamePerson, {
      description:
        'Other customers and applications of the organisation with the same number, e-mail, phone or address, newest first; at most 20 for each of these',
    }),
    documents: Type.Array(ReviewDocument, { description: 'The documents that the application needs; often none' }),
  },
  { $id: 'ReviewApplication', description: 'An application that waits for documents or a decision' },
)
export type ReviewApplication = Static<typeof ReviewApplication>
