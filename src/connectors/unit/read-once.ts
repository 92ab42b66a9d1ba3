import { UpstreamProblem } from '../../base/problem.ts'
import { Recent } from '../../base/recent.ts'
import type { UnitCall, UnitClient } from './client.ts'
import { Garbled, type LeaveOut } from './resource.ts'

/** Replies that are kept for one delivery, and the largest of them: together 32 MiB at most. */
const MAX_KEPT = 512
const MAX_KEPT_BYTES = 64 * 1024

/**
 * A client for the reads of one delivery, which reads each path once, because several events often name the same record.
 * A record that cannot be mapped is a problem that lasts.
 */
export function readingOnce(client: UnitClient): UnitClient {
  const replies = new Recent<string, Promise<Buffer | undefined>>(MAX_KEPT)

  function replyTo({ missing, ...order }: UnitCall<unknown>): Promise<Buffer | undefined> {
    const kept = replies.get(order.path)
    if (kept) return kept
    const reply = client.call<Buffer | undefined>({ ...order, read: jsonBytes, ...(missing && { missing: none }) })
    replies.set(order.path, reply)
    const drop = () => void replies.delete(order.path)
    // The caller handles a rejection, which is kept as well: a repeated call would fail in the same way.
    reply.then((bytes) => (bytes?.length ?? 0) > MAX_KEPT_BYTES && drop()).catch(none)
    return reply
  }

  return {
    ...client,
    async call(order) {
      const bytes = await replyTo(order)
      if (bytes === undefined && order.missing) return order.missing()
      return mapped(order, bytes ?? Buffer.alloc(0), client.leaveOut(order.path))
    },
  }
}

function mapped<Result>({ read }: UnitCall<Result>, bytes: Buffer, leaveOut: LeaveOut): Result {
  try {
    return read(bytes, leaveOut)
  } catch (error) {
    if (!(error instanceof Garbled)) throw error
    throw new UpstreamProblem('upstream_error', {
      detail: `Unit answered a record that cannot be read: ${error.message}.`,
      lasting: true,
    })
  }
}

/** The bytes of a reply. One that is not JSON comes from a proxy or was cut off, so that it is asked for again. */
function jsonBytes(bytes: Buffer): Buffer {
  try {
    JSON.parse(bytes.toString('utf8'))
    return bytes
  } catch {
    throw new Garbled('the answer is not JSON')
  }
}

function none(): undefined {
  return undefined
}
