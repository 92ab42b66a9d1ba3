import { type Static, Type } from 'typebox'
import { SearchText } from '../base/text.ts'
import { AnsweredType } from './record-types.ts'
import { toolsRead } from './tools.ts'

/** The most records that a search answers. */
export const MAX_RESULTS = 20

const SearchResult = Type.Object(
  {
    type: AnsweredType,
    id: Type.String({ description: 'Id of the record as a text', examples: ['1000042'] }),
    label: Type.String({
      description: 'A short text for people; it says if a record is closed or deleted',
      examples: ['Ada Example, account ending in 1234'],
    }),
  },
  { $id: 'SearchResult', description: 'A record that matches the text of a search' },
)
export type SearchResult = Static<typeof SearchResult>

/** Extension. Finds records of any type by what people know of them. */
export const search = toolsRead({
  id: 'search',
  resource: 'search',
  verb: 'find',
  area: 'tools',
  method: 'GET',
  path: '/v0/search',
  summary: 'Search',
  description: `Finds up to ${MAX_RESULTS} records of the types that the key may read, in any letter case, the best match first:

1. records with this id;
2. exact matches: names, e-mail addresses, descriptions and counterparties of payments and received payments, merchants, account numbers or their last
   four digits, the last four digits of cards, amounts (\`12.34\`, \`$1,250\`), return codes and trace numbers of payments, reasons of
   declines, names of ACH files, names of campaigns,
   titles of their offers, user ids of partner users, the \`X-Request-Id\`, idempotency key or refusal code of a request, and the record that an
   idempotency key created, and records by their id in the former system (\`purser import\`);
3. names, e-mail addresses, descriptions, merchants and ids that begin with the text;
4. names whose last word begins with it, descriptions, counterparties and merchants with a word that does, and amounts of as many
   whole dollars.

Within a rank the types take turns. Ids match by their beginning for customers, accounts, external accounts, applications, cards
and payments. The search covers the newest 5,000 payments, received payments, authorizations, ACH files, campaigns and
their offers, and all trace numbers of payments; requests are
those that \`GET /v0/requests\` shows. Deleted external accounts and API keys are found, although they can no longer be looked up.

If nothing matches, the result is empty. If a connector serves banking, its records are found by their whole id only.`,
  status: 200,
  scope: 'any',
  query: Type.Object({
    q: SearchText('A name, an e-mail address, an id, a number, an amount, a code or words of a description'),
  }),
  data: Type.Array(SearchResult),
  problems: [],
  run: ({ tools, ...asker }, { query }) => tools.search(asker, query.q.trim()),
})
