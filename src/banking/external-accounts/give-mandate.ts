import { type Static, Type } from 'typebox'
import { instantIn } from '../../base/clock.ts'
import { Id } from '../../base/ids.ts'
import { Instant, Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { ExternalAccount, mandateAuthorizations } from './external-account.ts'

const GiveMandateBody = Type.Object(
  {
    authorization: Type.Enum([...mandateAuthorizations], {
      description: 'How the customer gave it: on a website or in an app, in writing, or by telephone',
    }),
    textVersion: Text(1, 50, { description: 'Version of the text that the customer agreed to', examples: ['2026-01'] }),
    authorizedAt: Instant({ description: 'When the customer gave it; not later than bank time' }),
    address: Text(1, 100, {
      description: 'Where it came from: an IP address, a telephone number, or a place',
      examples: ['203.0.113.7'],
    }),
  },
  { description: 'The authorization that the customer gave' },
)
export type GiveMandateInput = Static<typeof GiveMandateBody> & { externalAccountId: string }

/** Extension. Notes that a customer authorized debits of an external account. */
export const giveMandate = bankingWrite({
  id: 'giveMandate',
  resource: 'externalAccounts',
  verb: 'giveMandate',
  method: 'PUT',
  path: '/v0/banking/external-accounts/:externalAccountId/mandate',
  summary: 'Give mandate',
  description:
    'Records that the holder of an external account authorized you to collect money from it, and replaces an earlier mandate. Payments with the direction `Debit` need a mandate and keep a copy as evidence. It decides their SEC code: CCD for an external account of a business, otherwise WEB for `Online`, PPD for `Written` and TEL for `Phone`.\n\nA mandate does not verify the account: `permissions` must be `CreditAndDebit` too before money can be collected. An `authorizedAt` that is later than bank time is refused with `invalid_request`. Emits `externalAccount.mandateGiven`.',
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: GiveMandateBody,
  data: ExternalAccount,
  problems: ['external_account_not_found', 'customer_erased'],
  run: ({ bank, write }, { params, body }) =>
    bank.giveMandate(write, { ...params, ...body, authorizedAt: instantIn('authorizedAt', body.authorizedAt) }),
})
