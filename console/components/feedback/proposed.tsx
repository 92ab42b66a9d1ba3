import type { Proposal } from '../../../client/src/index.ts'
import { Time } from '../display/time.tsx'
import { RecordLink } from '../records/record-link.tsx'

/** In place of a success: nothing has changed, because the decision needs a second person. */
export function Proposed({ of: { id, expiresAt } }: { of: Pick<Proposal, 'id' | 'expiresAt'> }) {
  return (
    <p role="status">
      <b>Waits for a second signature.</b> Nothing has changed yet: another person decides until <Time of={expiresAt} />
      .{' '}
      <RecordLink type="proposal" id={id}>
        Open the proposal
      </RecordLink>
    </p>
  )
}
