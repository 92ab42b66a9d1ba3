import type { Reply } from '../harness.ts'

/** Sends a request that may be repeated. A machine that is too busy refuses it after some seconds; then it is sent again, as clients do. */
export async function atLast(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send()
    if (reply.status !== 503) return reply
  }
}
