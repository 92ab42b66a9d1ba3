import { type Static, Type } from 'typebox'
import { Text } from '../base/text.ts'
import { CreatedOrganisation, clockMembers, type StartingClock, startingClock } from './organisation.ts'
import { sandboxWrite } from './sandbox.ts'

const CreateOrganisationBody = Type.Object(
  {
    name: Type.Optional(
      Text(1, 255, { description: 'Name to recognise it by; by default made of its id', examples: ['Checkout test'] }),
    ),
    ...clockMembers,
  },
  { description: 'The new organisation and its clock' },
)

export interface CreateOrganisationInput extends StartingClock {
  /** Null if the organisation is named after its id. */
  name: string | null
}

/** Sandbox. Creates an empty organisation with a full key, isolated from all others, such as for one test. */
export const createOrganisation = sandboxWrite({
  id: 'createOrganisation',
  resource: 'sandbox.organisations',
  verb: 'create',
  path: '/v0/sandbox/organisations',
  summary: 'Create organisation',
  description:
    'Creates an empty organisation and a key that may do everything in it. Nothing is shared with other organisations, except for the catalogue of offers. Its bank time, the clock by which everything in it happens, starts at `now`; with `frozen` it moves only when it is advanced, so a test sees the same times in every run. Only this answer shows the secret of the key. There are at most 10,000 such organisations (422 `too_many_organisations`); one that is not used for 24 hours is deleted. Emits `organisation.created` in the feed of the caller.',
  status: 201,
  secret: true,
  body: CreateOrganisationBody,
  data: CreatedOrganisation,
  problems: ['clock_out_of_range', 'too_many_organisations'],
  run: async ({ sandbox, holder, write }, { body }) => sandbox.createOrganisation(write, holder, inputOf(body)),
})

function inputOf({ name, ...clock }: Static<typeof CreateOrganisationBody>): CreateOrganisationInput {
  return { name: name ?? null, ...startingClock(clock) }
}
