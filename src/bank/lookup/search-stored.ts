import { integerIdNumber } from '../../base/ids.ts'
import type { Queryable } from '../../database/database.ts'
import { numberDigest } from '../../secrets/numbers.ts'
import {
  accountLabel,
  apiKeyLabel,
  applicationLabel,
  authorizationLabel,
  campaignLabel,
  campaignOfferLabel,
  cardLabel,
  externalAccountLabel,
  partnerUserLabel,
  paymentLabel,
  receivedPaymentLabel,
} from '../../tools/labels.ts'
import type { RecordType } from '../../tools/record-types.ts'
import type { Match } from '../../tools/tools.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import {
  type FoundPayment,
  type Sought,
  searchAccounts,
  searchAchFiles,
  searchApplications,
  searchAuthorizations,
  searchCampaignOffers,
  searchCampaigns,
  searchCards,
  searchCustomers,
  searchExternalAccounts,
  searchKeys,
  searchPartnerUsers,
  searchPayments,
  searchReceivedPayments,
} from './search.sql.ts'

/** The stored records of some types that match a text, of each type the best first. */
export async function searchStored(
  { database, seals }: Pick<BankParts, 'database' | 'seals'>,
  organisationId: number,
  text: string,
  types: RecordType[],
): Promise<Match[]> {
  const seal = await seals.of(organisationId)
  const sought = {
    ...{ organisationId, text, numberDigest: numberDigest(seal, text) },
    ...idsBeginningWith(text),
    ...amountIn(text),
  }
  // One statement after the other: a search takes one connection, as any other read.
  return [
    ...(types.includes('customer') ? await holders(database, sought) : []),
    ...(types.includes('externalAccount')
      ? matchesOf('externalAccount', await searchExternalAccounts(database, sought), externalAccountLabel)
      : []),
    ...(types.includes('application')
      ? matchesOf('application', await searchApplications(database, sought), applicationLabel)
      : []),
    ...(types.includes('card') ? matchesOf('card', await searchCards(database, sought), cardLabel) : []),
    ...(types.includes('payment')
      ? matchesOf('payment', paid(await searchPayments(database, sought)), paymentLabel)
      : []),
    ...(types.includes('receivedPayment')
      ? matchesOf('receivedPayment', paid(await searchReceivedPayments(database, sought)), receivedPaymentLabel)
      : []),
    ...(types.includes('achFile')
      ? matchesOf('achFile', await searchAchFiles(database, sought), ({ name }) => name)
      : []),
    ...(types.includes('authorization')
      ? matchesOf('authorization', await purchasesWith(database, sought), authorizationLabel)
      : []),
    ...(types.includes('campaign')
      ? matchesOf('campaign', await searchCampaigns(database, sought), campaignLabel)
      : []),
    ...(types.includes('campaignOffer')
      ? matchesOf('campaignOffer', await searchCampaignOffers(database, sought), campaignOfferLabel)
      : []),
    ...(types.includes('partnerUser')
      ? matchesOf(
          'partnerUser',
          await searchPartnerUsers(database, organisationId, integerIdNumber(text)),
          partnerUserLabel,
        )
      : []),
    ...(types.includes('apiKey') ? matchesOf('apiKey', await searchKeys(database, sought), apiKeyLabel) : []),
  ]
}

/** Customers and their accounts, which the same scope reads. */
async function holders(database: Queryable, sought: Sought): Promise<Match[]> {
  const customers = (await searchCustomers(database, sought)).sort((a, b) => a.rank - b.rank)
  const accounts = await searchAccounts(database, sought, customers)
  return [...matchesOf('customer', customers, ({ name }) => name), ...matchesOf('account', accounts, accountLabel)]
}

function paid(rows: FoundPayment[]) {
  return rows.map(({ counterpartyName: name, ...row }) => ({ ...row, counterparty: { name } }))
}

async function purchasesWith(database: Queryable, sought: Sought) {
  const rows = await searchAuthorizations(database, sought)
  return rows.map(({ merchantName: name, ...row }) => ({ ...row, merchant: { name } }))
}

function matchesOf<Row extends { id: number; rank: number }>(
  type: RecordType,
  rows: Row[],
  label: (row: Row) => string,
): Match[] {
  return rows.map((row) => ({ type, id: String(row.id), label: label(row), rank: row.rank }))
}

/** The lengths of ids. */
const [SHORTEST, LONGEST] = [7, 16]

/** The ranges of the ids that begin with a text, one for each length; none if no id does. */
function idsBeginningWith(text: string): Pick<Sought, 'idsFrom' | 'idsTo'> {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return { idsFrom: [], idsTo: [] }
  const first = Math.max(SHORTEST, text.length)
  const lengths = Array.from({ length: LONGEST - first + 1 }, (_, more) => first + more)
  return {
    idsFrom: lengths.map((length) => text.padEnd(length, '0')),
    idsTo: lengths.map((length) => text.padEnd(length, '9')),
  }
}

/** The cents of an amount as people write it: `$1,250.00`, `12.34`, or whole dollars. */
function amountIn(text: string): Pick<Sought, 'amount' | 'isAmount'> {
  const [, sign, whole = '', cents] = /^(\$?)\s*(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(\.\d\d)?$/.exec(text) ?? []
  if (whole === '') return { amount: null, isAmount: false }
  const isAmount = sign !== '' || cents !== undefined || whole.includes(',')
  return { amount: Math.round(Number(whole.replaceAll(',', '') + (cents ?? '')) * 100), isAmount }
}
