import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { addMs, clock, parseInstant } from '../../base/clock.ts'
import type { AttributionType } from '../../rewards/attribution/create-attributions.ts'
import type { AttributionReceiver } from '../../rewards/provider.ts'
import { unreadable } from '../upstream-problems.ts'
import { type KardClient, NAME } from './client.ts'

/** Kard's words. It has none for a click on the way to the merchant. */
const eventCodes: Partial<Record<AttributionType, string>> = { Impression: 'IMPRESSION', View: 'VIEW' }

const activation = Compile(
  Type.Object({ data: Type.Object({ id: Type.String(), attributes: Type.Object({ eventDate: Type.String() }) }) }),
)

/** Attributions and activations by Kard's current API; the legacy one has no activations. */
export function kardReceiver(client: KardClient, organizationId: string, totalMs: number): AttributionReceiver {
  const pathOf = (userId: number, rest: string) =>
    `/v2/issuers/${encodeURIComponent(organizationId)}/users/${userId}/${rest}`
  const deadlineMs = () => clock.elapsedMs() + totalMs
  return {
    async attribute(userId, attributions) {
      const data = attributions.flatMap(({ type, offerId: entityId, at: eventDate }) => {
        const eventCode = eventCodes[type]
        const attributes = { entityId, eventCode, medium: 'BROWSE', eventDate }
        return eventCode === undefined ? [] : [{ type: 'offerAttribution', attributes }]
      })
      if (data.length === 0) return
      await client.post(pathOf(userId, 'attributions'), { content: { data }, repeatable: false }, deadlineMs())
    },
    async activate(userId, offerId) {
      const path = pathOf(userId, `offers/${encodeURIComponent(offerId)}/activate`)
      const answer = await client.post(path, { repeatable: true }, deadlineMs())
      const at = activation.Check(answer) ? parseInstant(answer.data.attributes.eventDate) : undefined
      if (!activation.Check(answer) || at === undefined) throw unreadable(NAME, 'the answer is no activation')
      return { id: answer.data.id, at: addMs(at, 0) }
    },
  }
}
