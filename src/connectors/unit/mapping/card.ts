import { Card, ListedCard } from '../../../banking/cards/card.ts'
import { endOfMonth } from '../../../base/calendar.ts'
import { IncompleteRecord, idOf, instant, optionalText, ownerId, type Resource, text } from '../resource.ts'
import { addressOf } from './address.ts'
import { fitting } from './fitting.ts'

const asCard = fitting(Card)
const asListedCard = fitting(ListedCard)

export function card(resource: Resource): Card {
  return asCard({ ...common(resource), expirationDate: monthOf(resource), ...rest(resource) }, resource)
}

/** A card of a list, whose expiry is a time. The upstream always has a month. */
export function listedCard(resource: Resource): ListedCard {
  const expirationDate = endOfMonth(monthOf(resource))
  return asListedCard({ ...common(resource), expirationDate, ...rest(resource) }, resource)
}

function common(resource: Resource) {
  return {
    id: idOf(resource),
    accountId: ownerId(resource, 'account'),
    createdAt: instant(resource, 'createdAt'),
    last4Digits: text(resource, 'last4Digits'),
  }
}

function rest(resource: Resource) {
  const isVirtual = /virtual/i.test(resource.type)
  const design = optionalText(resource, 'design')
  const shippingAddress = addressOf(resource.attributes.shippingAddress)
  return {
    status: text(resource, 'status'),
    type: resource.type,
    ...(!isVirtual && design !== undefined && { design }),
    ...(!isVirtual && shippingAddress && { shippingAddress }),
  }
}

function monthOf(resource: Resource): string {
  const month = /^\d{4}-(0[1-9]|1[0-2])/.exec(text(resource, 'expirationDate'))?.[0]
  if (month === undefined) throw new IncompleteRecord('expirationDate of a card is not a month')
  return month
}
