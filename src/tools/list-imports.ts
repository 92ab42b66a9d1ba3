import { type Static, Type } from 'typebox'
import { Timestamp, Word } from '../base/text.ts'
import { toolsRead } from './tools.ts'

const ImportFigure = Type.Object(
  {
    what: Type.String({ description: 'Kind of figure', examples: ['customers'] }),
    before: Type.String({ description: 'In the archive or the files', examples: ['1204'] }),
    after: Type.String({ description: 'In this bank, after the import', examples: ['1204'] }),
  },
  { $id: 'ImportFigure', description: 'A figure before and after an import; both are equal' },
)

export const OrganisationImport = Type.Object(
  {
    source: Word(['archive', 'files'], {
      description:
        '`archive`: another bank of Purser, with the same ids. `files`: another system, whose ids are kept as former ones',
    }),
    importedAt: Timestamp,
    figures: Type.Array(ImportFigure, { description: 'The figures side by side' }),
    sequence: Type.Integer({ minimum: 0, description: 'Number of the last event of the import', examples: [5210] }),
    link: Type.Union([Type.String(), Type.Null()], {
      description: 'Link of that event in the chain of hashes, in hexadecimal digits; null without links',
      examples: ['9f2c0b6a'],
    }),
  },
  { $id: 'OrganisationImport', description: 'An import of records into the organisation' },
)
export type OrganisationImport = Static<typeof OrganisationImport>

/** Extension. Lists what purser import has brought into the organisation. */
export const listImports = toolsRead({
  id: 'listImports',
  resource: 'imports',
  verb: 'list',
  area: 'tools',
  method: 'GET',
  path: '/v0/imports',
  summary: 'List imports',
  description:
    'Lists the imports by which the operator has brought records into the organisation, with the counts before and after side by side. There is at most one. Former ids are found by `GET /v0/search`.',
  status: 200,
  scope: 'banking:read',
  data: Type.Array(OrganisationImport, { description: 'The imports' }),
  problems: [],
  run: ({ tools, ...asker }) => tools.listImports(asker),
})
