import { useState } from 'react'
import { type LookedUp, type OperationId, operations } from '../../client/src/index.ts'
import { snippet } from '../../ground/snippets.ts'
import { Copy } from '../components/display/copy.tsx'
import { Actions } from '../components/forms/actions.tsx'
import { targetOf } from '../components/records/record-page.tsx'
import { actionForms } from '../data/actions.ts'
import { useCall, useSession } from '../data/purser.tsx'
import styles from './found-actions.module.css'

export interface FoundRecord {
  type: LookedUp['type']
  id: string
}

/** Buttons about the record that is chosen in “Find”: the operations that its state and the key allow, and its call. */
export function FoundActions({ of: { type, id } }: { of: FoundRecord }) {
  const { me } = useSession()
  const [done, setDone] = useState<string>()
  const { data } = useCall('lookUpRecord', { params: { type, id } })
  const actions = (data?.actions ?? []).filter(
    ({ operation, allowed }) => allowed !== false && me.operations.includes(operation),
  )
  const read = readerOf(type)
  const params = read === 'lookUpRecord' ? { type, id } : { [`${type}Id`]: id }
  return (
    <section className={styles.bar} aria-label="Actions">
      {data && (
        <Actions
          actions={actions}
          target={targetOf(data)}
          done={(operation) => setDone(`Done: ${actionForms[operation]?.label.replace('…', '')}`)}
        />
      )}
      <Copy text={snippet('curl', operations[read], { params }, location.origin)}>Copy as curl</Copy>
      <span className="good" role="status">
        {done}
      </span>
    </section>
  )
}

/** The operation that reads a record of a type by its id alone. */
function readerOf(type: string): OperationId {
  const own = Object.entries(operations).find(([, [, method, path]]) => {
    return method === 'GET' && path.endsWith(`/:${type}Id`) && path.split(':').length === 2
  })
  return (own?.[0] as OperationId | undefined) ?? 'lookUpRecord'
}
