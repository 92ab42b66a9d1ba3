import { type Static, Type } from 'typebox'
import { cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { sandboxRead } from '../sandbox.ts'
import { AchFile, achFileDirections, achFileStatuses } from './ach-file.ts'

const ListAchFilesQuery = Type.Object(
  {
    direction: Type.Optional(
      Type.Array(Type.Enum([...achFileDirections]), { description: 'Only files in this direction' }),
    ),
    status: Type.Optional(
      Type.Array(Type.Enum([...achFileStatuses]), { description: 'Only files in one of these states' }),
    ),
    ...sinceUntil,
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListAchFilesQuery = Static<typeof ListAchFilesQuery>

/** Sandbox. Lists the ACH files of the organisation, newest first. */
export const listAchFiles = sandboxRead({
  id: 'listAchFiles',
  resource: 'sandbox.achFiles',
  verb: 'list',
  path: '/v0/sandbox/ach-files',
  summary: 'List ACH files',
  description:
    'Lists the outgoing and incoming ACH files of the organisation, newest first. In a sandbox each organisation has its own files. In live mode a file holds batches of all organisations, and only the operator can see it, with `purser ach list`. With `PURSER_ACH=instant` the list is empty. Filters combine; a filter with several values finds files that match any of them.',
  query: ListAchFilesQuery,
  data: Type.Array(AchFile),
  problems: [],
  run: ({ sandbox, caller }, { query }) => sandbox.listAchFiles(caller, query),
})
