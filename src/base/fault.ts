import { type Static, Type } from 'typebox'

/** One fault of a request or one reason of a provider: its place (a JSON pointer or a parameter), a stable code, a message. */
export const Fault = Type.Object(
  {
    pointer: Type.Optional(Type.String({ format: 'json-pointer', description: 'The member of the body' })),
    parameter: Type.Optional(Type.String({ description: 'The parameter or header' })),
    code: Type.String({ description: 'The kind of fault; stable', examples: ['required'] }),
    message: Type.String({ description: 'The fault in a sentence; may change between versions' }),
    supportId: Type.Optional(Type.String({ description: "The provider's reference for this refusal" })),
    existingIds: Type.Optional(
      Type.Array(Type.String(), { description: 'The records of the provider that stand in the way of a new one' }),
    ),
  },
  { $id: 'Fault', description: 'One fault of a request, or one reason of a provider' },
)
export type Fault = Static<typeof Fault>
