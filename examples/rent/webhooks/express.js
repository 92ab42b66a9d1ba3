import express from 'express'
import { isWebhookError, unwrap } from 'purser-client'

/**
 * @param {import('../returned-payments.js').ReturnedPayments} returned
 * @param {string} secret the secret of the webhook endpoint
 */
export function expressReceiver(returned, secret) {
  const app = express()

  // The signature covers the body as it was sent: `express.raw`, not `express.json`.
  app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
    try {
      returned.receive(await unwrap(request.body, request.headers, secret))
      response.status(204).end()
    } catch (error) {
      if (!isWebhookError(error)) throw error
      response.status(400).json({ reason: error.reason })
    }
  })
  return app
}
