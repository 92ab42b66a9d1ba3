import fastify from 'fastify'
import { isWebhookError, unwrap } from 'purser-client'

/**
 * @param {import('../returned-payments.js').ReturnedPayments} returned
 * @param {string} secret the secret of the webhook endpoint
 */
export function fastifyReceiver(returned, secret) {
  const app = fastify()
  // The signature covers the body as it was sent: Fastify must not parse it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.post('/webhooks', async (request, reply) => {
    try {
      returned.receive(await unwrap(/** @type {string} */ (request.body), request.headers, secret))
      return reply.code(204).send()
    } catch (error) {
      if (isWebhookError(error)) return reply.code(400).send({ reason: error.reason })
      throw error
    }
  })
  return app
}
