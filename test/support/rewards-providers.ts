import { pino } from 'pino'
import { findZipCode } from '../../src/bank/offers/zip-codes.ts'
import { type Kard, type KardOptions, openKard } from '../../src/connectors/kard/kard.ts'
import type { CatalogueOffer } from '../../src/rewards/offers/catalogue.ts'
import type { TestBankOptions } from './bank/options.ts'
import { type FakeKard, openFakeKard } from './fakes/kard.ts'
import { addToKard } from './fakes/kard-records.ts'
import { openTestBank, type TestBank } from './harness.ts'

export interface OpenedRewards {
  bank: TestBank
  close(): Promise<void>
}

export async function openBuiltinRewards(catalogue: CatalogueOffer[]): Promise<OpenedRewards> {
  const bank = await openTestBank({ catalogue })
  return { bank, close: () => bank.close() }
}

export interface OpenedKard extends OpenedRewards {
  fake: FakeKard
}

export const kardApis = ['current', 'legacy'] as const
export type KardApiName = (typeof kardApis)[number]

/** Opens the service on one of Kard's APIs; fails on closing if the fake answered something that Kard's description forbids. */
export function kardRewards(api: KardApiName): (catalogue: CatalogueOffer[]) => Promise<OpenedRewards> {
  return async (catalogue) => {
    const opened = await openKardRewards(catalogue, api === 'legacy' ? { organizationId: undefined } : {})
    const { fake, bank } = opened
    return {
      bank,
      close: async () => {
        await opened.close()
        if (fake.misfits.length > 0) throw new Error(fake.misfits.join('\n'))
      },
    }
  }
}

/** The service with the offers of a fake Kard, from its current API unless `own` says otherwise. */
export async function openKardRewards(
  offers: CatalogueOffer[],
  own: Partial<KardOptions> = {},
  options: TestBankOptions = {},
): Promise<OpenedKard> {
  const fake = await openFakeKard()
  addToKard(fake, offers)
  let kard: Kard | undefined
  const bank = await openTestBank({
    ...options,
    offers: (parts) => {
      const settings = {
        url: fake.api.url,
        tokenUrl: fake.tokenUrl,
        organizationId: fake.organizationId,
        clientId: fake.clientId,
        clientSecret: fake.clientSecret,
        callMs: 10_000,
        totalMs: 30_000,
        log: pino({ level: 'silent' }),
        centreOf: findZipCode,
        ...own,
      }
      kard = openKard({ token: 'form', ...settings }, parts)
      return kard.offers
    },
  })
  return {
    bank,
    fake,
    close: async () => {
      await bank.close()
      await kard?.close()
      await fake.close()
    },
  }
}
