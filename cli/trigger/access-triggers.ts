import type { EventType } from '../../client/src/index.ts'
import type { Stage } from './stage.ts'
import type { Trigger } from './trigger.ts'

const HOUR_MS = 3_600_000

/** Events of keys, webhook endpoints and organisations. */
export const accessTriggers = {
  'apiKey.created': {
    does: 'Creates a key that may only read events, for an hour.',
    takes: [],
    calls: ['createApiKey'],
    play: newKey,
  },
  'apiKey.rotated': {
    does: 'Gives a key a new secret; the old one works for another hour.',
    takes: ['apiKey'],
    calls: ['createApiKey', 'rotateApiKey'],
    play: async (stage) => {
      const id = stage.named.apiKey ?? (await newKey(stage))
      stage.secret = (await stage.purser.apiKeys.rotate(id, { graceSeconds: HOUR_MS / 1_000 })).key
      return id
    },
  },
  'apiKey.revoked': {
    does: 'Deletes a key.',
    takes: ['apiKey'],
    calls: ['createApiKey', 'deleteApiKey'],
    play: async (stage) => {
      const id = stage.named.apiKey ?? (await newKey(stage))
      await stage.purser.apiKeys.delete(id)
      stage.secret = undefined
      return id
    },
  },
  'organisation.created': {
    does: 'Creates a sandbox organisation, which is deleted after a day without requests.',
    takes: [],
    calls: ['createOrganisation'],
    play: async (stage) => {
      const organisation = await stage.purser.sandbox.organisations.create({ name: 'trigger' })
      stage.secret = organisation.apiKey.key
      return stage.keep('organisation', organisation)
    },
  },
  'webhookEndpoint.created': {
    does: 'Registers an endpoint that no event goes to.',
    takes: [],
    calls: ['createWebhookEndpoint'],
    play: newEndpoint,
  },
  'webhookEndpoint.deleted': {
    does: 'Deletes an endpoint.',
    takes: ['webhookEndpoint'],
    calls: ['createWebhookEndpoint', 'deleteWebhookEndpoint'],
    play: async (stage) => {
      const id = await endpoint(stage)
      await stage.purser.webhookEndpoints.delete(id)
      stage.secret = undefined
      return id
    },
  },
  'webhookEndpoint.disabled': {
    does: 'Disables an endpoint.',
    takes: ['webhookEndpoint'],
    calls: ['createWebhookEndpoint', 'updateWebhookEndpoint'],
    play: async (stage) =>
      (await stage.purser.webhookEndpoints.update(await endpoint(stage), { status: 'Disabled' })).id,
  },
  'webhookEndpoint.secretRotated': {
    does: 'Gives an endpoint a new secret; the old one signs for another day.',
    takes: ['webhookEndpoint'],
    calls: ['createWebhookEndpoint', 'rotateWebhookSecret'],
    play: async (stage) => {
      const id = await endpoint(stage)
      stage.secret = (await stage.purser.webhookEndpoints.rotateSecret(id)).secret
      return id
    },
  },
  'webhookEndpoint.updated': {
    does: 'Changes the description of an endpoint.',
    takes: ['webhookEndpoint'],
    calls: ['createWebhookEndpoint', 'updateWebhookEndpoint'],
    play: async (stage) => {
      const description = `Changed at ${new Date().toISOString()}`
      return (await stage.purser.webhookEndpoints.update(await endpoint(stage), { description })).id
    },
  },
} satisfies Partial<Record<EventType, Trigger>>

async function newKey(stage: Stage): Promise<string> {
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString()
  const created = await stage.purser.apiKeys.create({ name: 'trigger', scopes: ['events:read'], expiresAt })
  stage.secret = created.key
  return stage.keep('apiKey', created)
}

async function endpoint(stage: Stage): Promise<string> {
  return stage.named.webhookEndpoint ?? newEndpoint(stage)
}

/** Nothing is sent to it: the built-in bank never emits an event of this type. */
async function newEndpoint(stage: Stage): Promise<string> {
  const body = { url: 'http://127.0.0.1:9/', events: ['upstreamEvent.failed' as const], description: 'trigger' }
  const created = await stage.purser.webhookEndpoints.create(body)
  stage.secret = created.secret
  return stage.keep('webhookEndpoint', created)
}
