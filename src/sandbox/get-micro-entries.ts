import { type Static, Type } from 'typebox'
import { CentsValue } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { described, Timestamp, Word } from '../base/text.ts'
import { sandboxRead } from './sandbox.ts'

const MicroEntry = Type.Object(
  {
    direction: Word(['Credit', 'Debit'], {
      description: '`Credit` to the customer at the other bank, `Debit` from there',
    }),
    amount: described(CentsValue, 'Amount in cents'),
    description: Type.String({ description: 'Text that the other bank shows', examples: ['ACCTVERIFY'] }),
    postedAt: described(Timestamp, 'When the other bank posted it, in bank time'),
  },
  { $id: 'MicroEntry', description: 'A micro-entry on an account at another bank' },
)

const MicroEntries = Type.Object(
  { entries: Type.Array(MicroEntry, { description: 'Two credits and a debit; none before they have settled' }) },
  { $id: 'MicroEntries', description: 'The micro-entries on an account at another bank' },
)
export type MicroEntries = Static<typeof MicroEntries>

/** Sandbox. Shows the micro-entries of an external account, as its holder sees them at the other bank. */
export const getMicroEntries = sandboxRead({
  id: 'getMicroEntries',
  resource: 'sandbox.externalAccounts',
  verb: 'getMicroEntries',
  path: '/v0/sandbox/external-accounts/:externalAccountId/micro-entries',
  summary: 'Get micro-entries',
  description:
    'Shows the latest micro-entries of an external account as the other bank shows them to its customer: two credits and a debit of their sum. The list is empty before they have settled.',
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  data: MicroEntries,
  problems: ['external_account_not_found'],
  run: ({ sandbox, caller }, { params }) => sandbox.getMicroEntries(caller, params.externalAccountId),
})
