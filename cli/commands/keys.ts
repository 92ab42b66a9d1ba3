import { dataDirOption, onDatabase, operatorCommand } from '../operate.ts'

export const keysCreate = operatorCommand({
  path: 'keys create',
  summary: 'Creates an API key as the operator',
  description: `${onDatabase} An organisation with a new name is created, too. The key is shown once.`,
  options: [
    { flags: '--organisation <name>', description: 'Organisation of the key (default: default)' },
    { flags: '--cell <cell>', description: 'Cell of a new organisation (default: home)' },
    { flags: '--name <name>', description: 'Name of the key (default: operator)' },
    {
      flags: '--scopes <list>',
      description:
        'Scopes, separated by commas; without the option the key may do everything but act as a card processor or as a reviewer, and in live mode decide about limits',
    },
    dataDirOption,
  ],
  examples: [
    { run: 'purser keys create', does: 'Creates a key for an app' },
    {
      run: 'purser keys create --organisation Acme --scopes banking:read,rewards:read',
      does: 'Creates a key that may read, in a new organisation',
    },
    {
      run: 'purser keys create --name processor --scopes processor:write',
      does: 'Creates a key of a card processor, which authorizes and settles purchases',
    },
    {
      run: 'purser keys create --name reviewer --scopes review:write',
      does: 'Creates a key of a reviewer, who decides about applications and documents',
    },
    {
      run: 'purser keys create --name risk --scopes banking:read,risk:write',
      does: 'Creates a key that sets limits and overdrafts, freezes accounts as the bank, and holds for legal orders',
    },
  ],
  load: async () => (await import('../../src/operator/keys.ts')).createKey,
})

export const keysList = operatorCommand({
  path: 'keys list',
  summary: 'Lists the API keys of all organisations',
  description: onDatabase,
  options: [dataDirOption],
  examples: [{ run: 'purser keys list', does: 'Lists the keys with their scopes and state' }],
  load: async () => (await import('../../src/operator/keys.ts')).listKeys,
})

export const keysGrant = operatorCommand({
  path: 'keys grant',
  summary: 'Grants scopes to an API key',
  description: `${onDatabase} The key keeps its secret and the scopes that it has. A key without a list of scopes gets one, with all that it could do, and can no longer issue keys without a list. The change works within five seconds and emits apiKey.scopesChanged.`,
  arguments: [{ name: 'id', description: 'Id of the key' }],
  options: [
    { flags: '--scopes <list>', description: 'Scopes to add, separated by commas', required: true },
    dataDirOption,
  ],
  examples: [
    {
      run: 'purser keys grant "$KEY" --scopes risk:write',
      does: 'Lets a key set limits, which an app may not in live mode',
    },
  ],
  load: async () => (await import('../../src/operator/keys.ts')).grantKey,
})

export const keysRevoke = operatorCommand({
  path: 'keys revoke',
  summary: 'Revokes an API key of any organisation',
  description: `${onDatabase} The key stops working within five seconds.`,
  arguments: [{ name: 'id', description: 'Id of the key' }],
  options: [dataDirOption],
  examples: [{ run: 'purser keys revoke "$KEY"', does: 'Revokes a key' }],
  load: async () => (await import('../../src/operator/keys.ts')).revokeKey,
})

export const keysRotateEncryption = operatorCommand({
  path: 'keys rotate-encryption',
  summary: 'Changes the encryption key',
  description:
    'Encrypts the keys of all organisations with the key in PURSER_ENCRYPTION_KEY_NEW. The service may run; start it with both keys first. If a rotation is interrupted, the same command finishes it.',
  options: [dataDirOption],
  examples: [
    { run: 'purser keys rotate-encryption', does: 'Changes from PURSER_ENCRYPTION_KEY to PURSER_ENCRYPTION_KEY_NEW' },
  ],
  load: async () => (await import('../../src/operator/keys.ts')).rotateEncryptionKey,
})
