import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import { type Operation, operationsOver } from '../base/operation.ts'
import { Timestamp, Word } from '../base/text.ts'
import { GrantedScopes, type KeyManagement, KeyName, missingScope } from './api-key.ts'
import type { KeyHolder } from './authenticate-key.ts'

const Me = Type.Object(
  {
    organisation: Type.Object(
      {
        id: RecordId('Id of the organisation'),
        name: Type.String({ description: 'Name of the organisation', examples: ['default'] }),
      },
      { $id: 'MyOrganisation', description: 'The organisation that the key belongs to' },
    ),
    key: Type.Object(
      {
        id: RecordId('Id of the key'),
        name: KeyName,
        scopes: GrantedScopes,
        expiresAt: Type.Union([Timestamp, Type.Null()], {
          description:
            'When the secret that was sent stops working: at the expiry of the key, or at the end of its grace after a rotation. Null for no end',
        }),
      },
      { $id: 'MyApiKey', description: 'The key that made the request' },
    ),
    person: Type.Optional(
      Type.Object(
        {
          id: RecordId('Id of the person'),
          name: Type.String({ description: 'Name of the person', examples: ['Ada Lovelace'] }),
          role: Type.String({ description: 'Role of the person in the organisation', examples: ['reviewer'] }),
          organisations: Type.Array(
            Type.Object({
              name: Type.String({ description: 'Name of the organisation', examples: ['default'] }),
              role: Type.String({ description: 'Role of the person there', examples: ['reviewer'] }),
            }),
            { description: 'The organisations in which the person has a role' },
          ),
        },
        { $id: 'Myself', description: 'The person who is signed in; absent for an API key' },
      ),
    ),
    mode: Word(['sandbox', 'live'], { description: 'The mode of the service' }),
    version: Type.String({ description: 'Version of the service', examples: ['0.2.0'] }),
    providers: Type.Object(
      {
        banking: Word(['builtin', 'unit'], { description: 'Provider of accounts, payments and cards' }),
        rewards: Word(['builtin', 'kard'], { description: 'Provider of the offers' }),
      },
      { $id: 'Providers', description: 'The provider of each area' },
    ),
    warnings: Type.Optional(
      Type.Array(Type.String({ examples: ['PURSER_ACH=instant in live mode: no money leaves'] }), {
        description: 'Faults of the settings that the operator should know; absent if there are none',
      }),
    ),
    operations: Type.Array(Type.String({ examples: ['getAccount'] }), {
      description: 'Ids of the operations that this service has and the key may call, in the order of the index',
    }),
  },
  { $id: 'Me', description: 'The caller, and the service that it calls' },
)
export type Me = Static<typeof Me>

/** The facts about the running service that `getMe` shows. */
export interface About extends Pick<Me, 'mode' | 'version' | 'providers' | 'warnings'> {
  /** The operations that this service has with its mode and its providers. */
  operations: Operation[]
}

const { read } = operationsOver<{ apiKeys: KeyManagement; holder: KeyHolder; about: About }>('access', 'any')

/** Extension. Shows the caller's key, its organisation and the service. */
export const getMe = read({
  id: 'getMe',
  resource: 'me',
  verb: 'get',
  path: '/v0/me',
  summary: 'Get own key and service',
  description: `Returns the API key that made the request, its organisation, and the service: mode, version, providers, and the
operations that the key may call here. Tools read it once to know what to offer.

Every key may call it. An operation is listed if the service offers it in its mode and with its providers, and the key has the scopes.`,
  data: Me,
  problems: [],
  run: async ({ apiKeys, holder, about }) => {
    const { operations, ...service } = about
    const ids = callable(operations, holder).map(({ id }) => id)
    const { person } = holder
    const self = person && {
      id: String(person.id),
      name: person.name,
      role: person.role,
      organisations: person.organisations,
    }
    return { ...(await apiKeys.getMe(holder)), ...(self && { person: self }), ...service, operations: ids }
  },
})

/** The operations that a key may call. */
export function callable(operations: Operation[], holder: KeyHolder): Operation[] {
  return operations.filter((operation) => missingScope(holder, operation) === undefined)
}
