import type { LocalOffer } from '../../../client/src/index.ts'
import { Card } from '../../components/layout/card.tsx'
import { Details, mono } from '../../components/layout/details.tsx'
import { date } from '../../data/format.ts'
import { hoursText, webAddress } from '../../data/offers.ts'

/** One offer of a shop. */
export function OfferCard({ offer }: { offer: LocalOffer }) {
  const { id, title, terms, redeemableOnce, commission, expirationDate, merchant, address, phone, operationHours } =
    offer
  const website = webAddress(merchant.websiteURL)
  return (
    <Card title={title} aside={<span>ends {date(expirationDate)}</span>}>
      <Details
        of={{
          Id: mono(id),
          Merchant: `${merchant.name}: ${merchant.description}`,
          'Cash back': `${commission}%`,
          Terms: terms,
          Redeemable: redeemableOnce ? 'Once' : 'Again and again',
          Address: `${address.street}, ${address.city}, ${address.state} ${address.zip}`,
          Phone: phone,
          Open: hoursText(operationHours),
          Website: website ? (
            <a href={website} target="_blank" rel="noreferrer">
              {website}
            </a>
          ) : (
            merchant.websiteURL
          ),
        }}
      />
    </Card>
  )
}
