import { type Static, Type } from 'typebox'
import { countQuery, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { SearchText } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { Customer } from './customer.ts'

const ListCustomersQuery = Type.Object(
  {
    search: Type.Optional(
      SearchText(
        'Only customers that match this text, in any letter case: the beginning of the name, of its last word or of the e-mail address, or the id',
      ),
    ),
    status: Type.Optional(Type.Enum(['Active', 'Archived', 'Erased'], { description: 'Only customers in this state' })),
    ...sinceUntil,
    ...cursorQuery,
    ...countQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListCustomersQuery = Static<typeof ListCustomersQuery>

/** Extension. Lists customers, newest first. */
export const listCustomers = bankingRead({
  id: 'listCustomers',
  resource: 'customers',
  verb: 'list',
  path: '/v0/banking/customers',
  summary: 'List customers',
  description:
    'Lists the customers of the organisation, newest first. Customers come from approved applications; a sandbox can also create them directly.',
  fromStandby: true,
  query: ListCustomersQuery,
  data: Type.Array(Customer),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listCustomers(caller, query),
})
