import { describe, expect, it } from 'vitest'
import type { LocalOffer, NationalOffer, Purser } from '../../client/src/index.ts'
import { buy, shopsOf } from './purchase.ts'

const merchant = { id: '1', name: 'Bramble Pizza', description: '', websiteURL: '', imgUrl: '' }
const common = { redeemableOnce: false, title: '', expirationDate: '2029-01-30T00:00:00.000Z', merchant }
const local = { ...common, id: '5', commission: 5.25, terms: 'Spend at least $25.', address: place() } as LocalOffer
const national = { ...common, id: '6', commission: 3, terms: '', offerType: 'ONLINE' } as NationalOffer

function place() {
  return { street: '1 Mill Street', city: 'Springfield', state: 'IL', zip: '62701' }
}

describe('merchants of a purchase', () => {
  it('are those nearby, then those online, each with its offer', () => {
    expect(shopsOf([local], [national])).toEqual([
      { offerId: '5', name: 'Bramble Pizza', location: 'Springfield, IL', offer: '5.25% · Spend at least $25.' },
      { offerId: '6', name: 'Bramble Pizza', location: '', offer: '3%' },
    ])
  })
})

describe('a purchase', () => {
  const order = { cardId: '7', amount: 4_000, merchant: { name: 'Bramble Pizza' }, settle: true }

  function bank(status: string, settle: () => Promise<unknown>): Purser {
    return {
      sandbox: { authorizations: { create: async () => ({ id: '8', status }), settle } },
    } as unknown as Purser
  }

  it('is held and settled', async () => {
    const made = await buy(
      bank('Authorized', async () => ({ id: '9' })),
      order,
    )
    expect(made).toEqual({
      authorization: { id: '8', status: 'Completed' },
      transaction: { id: '9' },
      fault: undefined,
    })
  })

  it('that was declined is not settled', async () => {
    const made = await buy(
      bank('Declined', () => Promise.reject(new Error('not to be called'))),
      order,
    )
    expect(made).toEqual({ authorization: { id: '8', status: 'Declined' }, transaction: undefined, fault: undefined })
  })

  it('that cannot be settled keeps its authorization and the reason', async () => {
    const fault = new Error('no answer')
    const made = await buy(
      bank('Authorized', () => Promise.reject(fault)),
      order,
    )
    expect(made).toEqual({ authorization: { id: '8', status: 'Authorized' }, transaction: undefined, fault })
  })
})
