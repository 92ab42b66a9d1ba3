import type { ApiKey } from '../../../client/src/index.ts'
import { useSession } from '../../data/purser.tsx'
import { hasScope } from '../../data/session.ts'
import { Card } from '../layout/card.tsx'
import { Empty } from './empty.tsx'

type Scope = NonNullable<ApiKey['scopes']>[number]

export interface Closed {
  title: string
  scope: Scope
  /** Why a service may not have the part. */
  absent: string
}

/** In place of a part that the key may not use, or that the service does not have: says which. */
export function Unavailable({ title, scope, absent }: Closed) {
  const { key } = useSession().me
  const lacks = !hasScope(key, scope)
  return (
    <Card title={title} bare>
      <Empty title={lacks ? 'Not open to this key' : 'Not available here'}>
        {lacks ? (
          <p>
            The key “{key.name}” needs the scope <code>{scope}</code>.
          </p>
        ) : (
          <p>{absent}</p>
        )}
      </Empty>
    </Card>
  )
}
