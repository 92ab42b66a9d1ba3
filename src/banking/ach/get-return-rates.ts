import { bankingRead } from '../provider.ts'
import { ReturnRates } from './return-rates.ts'

/** Extension. Returns how many debits of the last 60 days were returned. */
export const getReturnRates = bankingRead({
  id: 'getReturnRates',
  resource: 'returnRates',
  verb: 'get',
  path: '/v0/banking/return-rates',
  summary: 'Get return rates',
  description:
    'Returns how many of the debits that were made in the last 60 days of bank time and have left were returned: as unauthorized, for administrative reasons, and in all; of the organisation, and by the company of the ACH batches. The rules of ACH limit these rates to 0.5, 3 and 15 percent. The operator can set rates at which new debits are refused. Reversals do not count.',
  data: ReturnRates,
  problems: [],
  run: ({ bank, caller }) => bank.getReturnRates(caller),
})
