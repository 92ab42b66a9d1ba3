import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import type { Caller } from '../../base/operation.ts'
import type { Page } from '../../base/page.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
import type { ListAchFilesQuery } from './list-ach-files.ts'

export const achFileDirections = ['Outgoing', 'Incoming'] as const
export type AchFileDirection = (typeof achFileDirections)[number]

export const achFileStatuses = [
  'Building',
  'Built',
  'Delivering',
  'Unknown',
  'Delivered',
  'Acknowledged',
  'Rejected',
  'Taken',
  'Applied',
  'Refused',
] as const

/** An ACH file of a sandbox. */
export const AchFile = Type.Object(
  {
    id: RecordId(),
    direction: Word(achFileDirections, { description: '`Outgoing` to other banks, `Incoming` from them' }),
    status: Word(achFileStatuses, {
      description:
        'An outgoing file is `Building`, `Built`, `Delivering`, `Delivered`, then `Acknowledged` or `Rejected` by the receiving bank; `Unknown` if the outcome of its delivery is not known. An incoming file is `Taken` and `Applied`, or `Refused`',
    }),
    name: Type.String({ description: 'Name of the file', examples: ['20260202-1415-812345678-A.ach'] }),
    createdAt: described(CreatedAt, 'Cut-off of an outgoing file, or time at which an incoming one was taken'),
    entryCount: Type.Integer({ description: 'Number of entries', examples: [12] }),
    credits: described(CentsValue, 'Sum of the credits, in cents'),
    debits: described(CentsValue, 'Sum of the debits, in cents'),
    sha256: Type.Optional(
      Type.String({
        description: 'SHA-256 of the content, in hexadecimal digits',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    ),
    deliveredAt: Type.Optional(described(Timestamp, 'Time of the delivery, in bank time')),
  },
  { $id: 'AchFile', description: 'An ACH file of a sandbox' },
)
export type AchFile = Static<typeof AchFile>

/** The part of the sandbox that shows ACH files. */
export interface SandboxAchFiles {
  listAchFiles(caller: Caller, query: ListAchFilesQuery): Promise<Page<AchFile>>
  getAchFile(caller: Caller, achFileId: string): Promise<AchFile>
  getAchFileContent(caller: Caller, achFileId: string): Promise<Buffer>
}
