import type { Claimed } from './claim.sql.ts'
import { isSuccess, type Sent } from './send.ts'

/** The faults that a sandbox injects into deliveries. */
export interface DeliveryFaults {
  /** The fault of a delivery, if any. `canReorder` is false while another delivery of the endpoint is held back. */
  effectOn(
    delivery: { organisationId: number; type: string },
    canReorder: boolean,
  ): Promise<'duplicate' | 'reorder' | undefined>
}

const MAX_HOLD_MS = 5_000

interface Held {
  sequence: number
  release(): void
}

/** The deliveries that are held back until a later one has been sent, one an endpoint. */
export class HeldBack {
  readonly #held = new Map<number, Held>()
  #closed = false

  has(endpointId: number): boolean {
    return this.#held.has(endpointId)
  }

  /** Waits until a later event has been sent to the endpoint, and at most so long. */
  async hold({ endpointId, sequence }: Pick<Claimed, 'endpointId' | 'sequence'>, ms: number): Promise<void> {
    if (this.#closed || sequence === null || this.has(endpointId)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      const release = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#held.set(endpointId, { sequence, release })
    })
    this.#held.delete(endpointId)
  }

  /** Releases the delivery that this one has overtaken. */
  sent({ endpointId, sequence }: Pick<Claimed, 'endpointId' | 'sequence'>): void {
    const held = this.#held.get(endpointId)
    if (held && sequence !== null && sequence > held.sequence) held.release()
  }

  close(): void {
    this.#closed = true
    for (const { release } of this.#held.values()) release()
  }
}

export interface FaultySending {
  faults: DeliveryFaults | undefined
  heldBack: HeldBack
  leaseMs: number
  failed(error: Error): void
}

/** Sends a delivery with the fault that applies to it. Its outcome is that of the first time it is sent. */
export async function sendWithFaults<Result extends Sent>(
  { faults, heldBack, leaseMs, failed }: FaultySending,
  delivery: Claimed,
  send: () => Promise<Result>,
): Promise<Result> {
  if (!faults || delivery.sequence === null) return send()
  const effect = await faults.effectOn(delivery, !heldBack.has(delivery.endpointId)).catch((error: Error) => {
    failed(error)
    return undefined
  })
  if (effect === 'reorder') await heldBack.hold(delivery, Math.min(MAX_HOLD_MS, leaseMs / 4))
  const sent = await send()
  heldBack.sent(delivery)
  if (effect === 'duplicate' && isSuccess(sent.responseStatus)) await send()
  return sent
}
