import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'

const nullable = (description: string, examples: string[]) =>
  Type.Union([Type.String({ examples }), Type.Null()], { description })

/** A sign-in of a person, or a change of what they may do, as the audit log of an organisation has it. */
export const PersonChange = Type.Object(
  {
    id: RecordId('Id of the person'),
    name: Type.String({ description: 'Name of the person', examples: ['Ada Lovelace'] }),
    role: nullable('Role of the person in the organisation now; null for none', ['reviewer']),
    formerRole: nullable('Role before a change of it or a removal; null otherwise', ['viewer']),
    session: nullable('Id of the session that began or ended; null for none, and for all of a person', ['1000044']),
    cause: nullable('Why; null if the type says all', ['The signature of the passkey is wrong']),
  },
  { $id: 'PersonChange', description: 'A sign-in of a person, or a change of what they may do' },
)
export type PersonChange = Static<typeof PersonChange>
