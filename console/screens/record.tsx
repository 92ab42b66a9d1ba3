import type { ReactNode } from 'react'
import { Time } from '../components/display/time.tsx'
import { Record, RecordPage } from '../components/records/record-page.tsx'
import { money, words } from '../data/format.ts'

/** Any record: its members, the records around it, its operations and its history. */
export function RecordScreen({ type, id }: { type: string; id: string }) {
  return (
    <Record type={type} id={id}>
      {(found) => {
        const { createdAt: _created, id: _id, ...members } = found.record as unknown as { [name: string]: unknown }
        const { status, state } = members
        return (
          <RecordPage
            found={found}
            parts={{
              name: found.label,
              state: (status ?? state) as string | undefined,
              details: Object.fromEntries(
                Object.entries(members).map(([name, value]) => [words(name), shown(name, value)]),
              ),
            }}
          />
        )
      }}
    </Record>
  )
}

/** Members whose values are names of the interface. */
const chosen = new Set(['reason', 'status', 'state', 'type'])

/** A member of a record as text: amounts in dollars, times as times, anything inside as JSON. */
function shown(name: string, value: unknown): ReactNode {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number' && /amount|balance|available|hold/i.test(name)) return money(value)
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <Time of={value} />
  if (typeof value !== 'object') return chosen.has(name) ? words(String(value)) : String(value)
  return Object.keys(value).length > 0 && <pre>{JSON.stringify(value, undefined, 1)}</pre>
}
