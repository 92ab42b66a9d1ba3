import { isWebhookError, unwrap } from 'purser-client'

/**
 * Handles a Web `Request`: as `POST` of a Next.js route, in Hono, Deno, Bun or a Cloudflare Worker.
 *
 * @param {Request} request
 * @param {import('../returned-payments.js').ReturnedPayments} returned
 * @param {string} secret the secret of the webhook endpoint
 */
export async function handleWebhook(request, returned, secret) {
  try {
    returned.receive(await unwrap(await request.text(), request.headers, secret))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (isWebhookError(error)) return Response.json({ reason: error.reason }, { status: 400 })
    throw error
  }
}
