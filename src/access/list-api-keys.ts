import { Type } from 'typebox'
import { pageQuery } from '../base/page.ts'
import { ApiKey, keysRead } from './api-key.ts'

/** Extension. Lists the keys that are not deleted, newest first. */
export const listApiKeys = keysRead({
  id: 'listApiKeys',
  resource: 'apiKeys',
  verb: 'list',
  path: '/v0/api-keys',
  summary: 'List API keys',
  description:
    'Lists the API keys of the organisation, newest first, without their secrets. Expired keys are listed; deleted ones are not.',
  query: Type.Object(pageQuery),
  data: Type.Array(ApiKey),
  problems: [],
  run: ({ apiKeys, caller }, { query }) => apiKeys.listApiKeys(caller, query),
})
