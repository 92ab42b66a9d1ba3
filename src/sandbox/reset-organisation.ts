import { Type } from 'typebox'
import { clockMembers, SandboxOrganisation, startingClock } from './organisation.ts'
import { sandboxWrite } from './sandbox.ts'

const ResetOrganisationBody = Type.Object(clockMembers, { description: 'The clock of the new organisation' })

/** Sandbox. Replaces the organisation of the caller's key by a new, empty one. */
export const resetOrganisation = sandboxWrite({
  id: 'resetOrganisation',
  resource: 'sandbox.organisations',
  verb: 'reset',
  path: '/v0/sandbox/reset',
  summary: 'Reset organisation',
  description:
    'Gives all keys of the caller’s organisation a new, empty organisation of the same name. Its records, webhook endpoints and events are gone, and no id or event number is used again: `GET /v0/events` goes on after the last event with an `organisation.created`. Other processes of the service follow within five seconds. A request that runs at the same time takes effect before the reset or after it. The clock starts again, as in `POST /v0/sandbox/organisations`.',
  body: ResetOrganisationBody,
  data: SandboxOrganisation,
  problems: ['clock_out_of_range'],
  run: async ({ sandbox, holder, write }, { body }) => sandbox.resetOrganisation(write, holder, startingClock(body)),
})
