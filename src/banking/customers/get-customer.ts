import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Customer } from './customer.ts'

/** Extension. Reads one customer. */
export const getCustomer = bankingRead({
  id: 'getCustomer',
  resource: 'customers',
  verb: 'get',
  path: '/v0/banking/customers/:customerId',
  summary: 'Get customer',
  description:
    'Returns a customer. Customers come from approved applications; a sandbox can also create them directly. An unknown id is refused with `customer_not_found`.',
  params: Type.Object({ customerId: Id('customer') }),
  data: Customer,
  problems: ['customer_not_found'],
  run: ({ bank, caller }, { params }) => bank.getCustomer(caller, params.customerId),
})
