import { Type } from 'typebox'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Ends the organisation of the caller's key. */
export const deleteOrganisation = sandboxWrite({
  id: 'deleteOrganisation',
  resource: 'sandbox.organisations',
  verb: 'delete',
  method: 'DELETE',
  path: '/v0/sandbox/organisations/current',
  summary: 'Delete organisation',
  description:
    'Deletes the organisation of the key that makes the request. All its keys stop working at once (within five seconds in other processes of the service), no more webhooks are sent, and its records are deleted in the background. Only an organisation that `POST /v0/sandbox/organisations` made can be deleted (409 `organisation_not_deletable`). There is no event, because nobody could read it.',
  status: 204,
  data: Type.Null(),
  problems: ['organisation_not_deletable'],
  run: ({ sandbox, holder, write }) => sandbox.deleteOrganisation(write, holder),
})
