import { type Static, Type } from 'typebox'
import { clock } from '../base/clock.ts'
import { RecordId } from '../base/ids.ts'
import { type Caller, emptyAnswer, randomKey, type Write } from '../base/operation.ts'
import { Recent } from '../base/recent.ts'
import { Timestamp } from '../base/text.ts'
import type { RecordIds } from '../database/record-ids.ts'
import type { EventDraft } from '../events/event.ts'
import type { RunOnce } from '../idempotency/run-once.ts'

/** A look of a person at personal data. */
export const PersonalDataView = Type.Object(
  {
    id: RecordId('Id of the look'),
    operation: Type.String({ description: 'Operation that showed the data', examples: ['listPayments'] }),
    path: Type.String({ description: 'Path of the request', examples: ['/v0/banking/payments'] }),
    records: Type.Array(Type.String({ examples: ['1000042'] }), {
      description:
        'Ids of the records that were shown; none for an export, whose records the operation and the path name',
    }),
  },
  { $id: 'PersonalDataView', description: 'A look of a person at personal data' },
)
type PersonalDataView = Static<typeof PersonalDataView>

const nullableTime = (description: string) => Type.Union([Timestamp, Type.Null()], { description })

/** An export of the audit log. */
export const AuditLogExport = Type.Object(
  {
    id: RecordId('Id of the export'),
    format: Type.Enum(['csv', 'jsonl'], { description: 'Format of the file' }),
    since: nullableTime('Begin of the period; null for no begin'),
    until: nullableTime('End of the period; null for no end'),
  },
  { $id: 'AuditLogExport', description: 'An export of the audit log' },
)
type AuditLogExport = Static<typeof AuditLogExport>

interface Seen extends Omit<PersonalDataView, 'id'> {
  requestId: string
}

/** The entries of the audit log about reads. Each is stored before the answer is sent. */
export interface Disclosures {
  /** Notes a look of a person. A screen reads its records again and again: for some minutes they leave no further entry. */
  seen(viewer: Caller, seen: Seen): Promise<void>
  /** Notes an export of the audit log. */
  exported(caller: Caller, requestId: string, made: Omit<AuditLogExport, 'id'>): Promise<void>
}

/** The time for which a person at one address sees a record again without another entry. */
const AGAIN_MS = 15 * 60_000
/** The most records of all persons that are remembered. One that is forgotten leaves an entry again. */
const MAX_REMEMBERED = 20_000

export function openDisclosures({ ids, runOnce }: { ids: RecordIds; runOnce: RunOnce }): Disclosures {
  const remembered = new Recent<string, number>(MAX_REMEMBERED)

  async function store(
    caller: Caller,
    requestId: string,
    type: EventDraft['type'],
    content: Omit<PersonalDataView, 'id'> | Omit<AuditLogExport, 'id'>,
  ): Promise<void> {
    const id = String(await ids.next())
    const write: Write<void> = { caller, requestId, key: randomKey(), render: () => emptyAnswer }
    await runOnce.transaction(write, async (_transaction, events) => {
      events.push({ type, id, version: 1, data: { id, ...content } })
    })
  }

  return {
    async seen(viewer, { requestId, operation, path, records }) {
      const nowMs = clock.elapsedMs()
      // The key of a person belongs to one session at one address.
      const places = records.map((record) => `${viewer.keyId} ${record}`)
      const isNew = places.map((place) => (remembered.get(place) ?? 0) <= nowMs)
      if (records.length > 0 && !isNew.includes(true)) return
      const unseen = records.filter((_record, index) => isNew[index])
      await store(viewer, requestId, 'personalData.viewed', { operation, path, records: unseen })
      for (const [index, place] of places.entries()) if (isNew[index]) remembered.set(place, nowMs + AGAIN_MS)
    },
    exported: (caller, requestId, made) => store(caller, requestId, 'auditLog.exported', made),
  }
}
