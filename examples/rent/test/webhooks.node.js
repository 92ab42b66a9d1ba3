import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startPurser } from 'purser/testing'
import { sign } from 'purser-client'
import { ReturnedPayments } from '../returned-payments.js'
import { expressReceiver } from '../webhooks/express.js'
import { fastifyReceiver } from '../webhooks/fastify.js'
import { handleWebhook } from '../webhooks/web.js'

/** @type {import('purser/testing').Bank} */
let bank

before(async () => {
  bank = await startPurser()
})
after(() => bank.stop())

/** @typedef {(returned: ReturnedPayments, secret: string) => Promise<import('node:http').RequestListener>} Receiver */

/** @type {Record<string, Receiver>} */
const receivers = {
  Express: async (returned, secret) => expressReceiver(returned, secret),
  Fastify: async (returned, secret) => {
    const app = fastifyReceiver(returned, secret)
    await app.ready()
    return app.routing
  },
}

for (const [name, receiver] of Object.entries(receivers)) {
  test(`${name}: a returned payment is listed, a forged request is refused`, { timeout: 120_000 }, async (context) => {
    const { purser } = await bank.organisation()
    const server = createServer()
    context.after(() => server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    const url = `http://127.0.0.1:${port}/webhooks`
    const { secret } = await purser.webhookEndpoints.create({ url, events: ['payment.returned'] })
    const returned = new ReturnedPayments()
    server.on('request', await receiver(returned, secret))

    const { paymentId } = await purser.sandbox.scenarios.create({ seed: 1 })
    const forged = await forgery(paymentId)
    const refusal = await fetch(url, forged)
    assert.equal(refusal.status, 400)
    assert.deepEqual(await refusal.json(), { reason: 'other_secret' })
    assert.deepEqual(returned.list(), [])

    await purser.sandbox.payments.return(paymentId, { returnCode: 'R01' })
    while (returned.list().length === 0) await setTimeout(20)
    assert.equal(returned.list()[0]?.id, paymentId)
  })
}

test('a Web `Request`: a returned payment is listed, a forged request is refused', async () => {
  const organisation = await bank.organisation()
  const returned = new ReturnedPayments()
  const hooks = await organisation.webhooks({
    events: ['payment.returned'],
    handler: (request, secret) => handleWebhook(request, returned, secret),
  })

  const { paymentId } = await organisation.purser.sandbox.scenarios.create({ seed: 1 })
  const forged = new Request(hooks.url, await forgery(paymentId))
  const refusal = await handleWebhook(forged, returned, hooks.secret)
  assert.equal(refusal.status, 400)
  assert.deepEqual(await refusal.json(), { reason: 'other_secret' })
  assert.deepEqual(returned.list(), [])

  await organisation.purser.sandbox.payments.return(paymentId, { returnCode: 'R01' })
  await hooks.next('payment.returned')
  assert.equal(returned.list()[0]?.id, paymentId)
})

/**
 * A request that reports a returned payment, signed with a secret that is not the endpoint's.
 *
 * @param {string} paymentId
 */
async function forgery(paymentId) {
  const event = { id: 'evt_1_1', type: 'payment.returned', data: { id: paymentId } }
  const headers = await sign(event, `whsec_${btoa('a secret of somebody else')}`)
  return { method: 'POST', headers, body: JSON.stringify(event) }
}
