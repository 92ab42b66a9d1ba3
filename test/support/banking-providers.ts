import { pino } from 'pino'
import type { AccountSettings } from '../../src/connectors/unit/accounts.ts'
import { openUnitClient, type UnitClient, type UnitClientOptions } from '../../src/connectors/unit/client.ts'
import { openUnitBank } from '../../src/connectors/unit/unit.ts'
import type { InboundSource } from '../../src/events/inbound/inbound.ts'
import type { Log } from '../../src/http/log.ts'
import { openClaims } from '../../src/idempotency/upstream-claim.ts'
import type { TestBankOptions } from './bank/options.ts'
import { openedAt } from './bank-time.ts'
import { ask, authorize, moveCard } from './cards.ts'
import { type FakeUnit, openFakeUnit } from './fakes/unit.ts'
import { openTestBank, type TestBank } from './harness.ts'
import { makeApplication, makeCustomer } from './world.ts'

/** Events outside of the interface, which each provider has its own way to cause. */
export interface Arrange {
  customer(): Promise<string>
  fund(accountId: string, amount: number): Promise<void>
  activate(cardId: string): Promise<void>
  authorize(cardId: string, amount: number): Promise<string>
  statement(accountId: string, period: string): Promise<string>
  application(): Promise<{ applicationId: string; documentId: string }>
}

/** Values that each provider has its own of. */
export interface Own {
  /** The type of the transaction of a payment. */
  sentType: string
  /** A document whose back side was uploaded. */
  backUploaded: { documentType: string; status: string }
}

export interface OpenedBanking {
  bank: TestBank
  arrange: Arrange
  own: Own
  /** The requests and answers that the provider's description does not have. */
  faults(): string[]
  close(): Promise<void>
}

export async function openBuiltinBanking(): Promise<OpenedBanking> {
  const bank = await openTestBank()
  const arrange: Arrange = {
    customer: () => makeCustomer(bank),
    fund: async (accountId, amount) => {
      const body = { amount, companyName: 'Sample Payroll', description: 'Salary' }
      await ask(bank, 'POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, body)
    },
    activate: async (cardId) => void (await moveCard(bank, cardId, 'activate')),
    authorize: async (cardId, amount) => (await authorize(bank, cardId, amount)).id,
    statement: async (accountId, period) => {
      await openedAt(bank, accountId, `${period}-15T12:00:00Z`)
      return (await ask(bank, 'POST', `/v0/sandbox/accounts/${accountId}/statements`, { period })).id
    },
    application: () => makeApplication(bank),
  }
  const own = { sentType: 'bookTransaction', backUploaded: { documentType: 'Passport', status: 'Approved' } }
  return { bank, arrange, own, faults: () => [], close: () => bank.close() }
}

export interface OpenedUnit extends OpenedBanking {
  fake: FakeUnit
}

/** The service over a fake Unit, with the settings that a test gives. */
export async function openUnitBanking(
  settings: Partial<UnitClientOptions & AccountSettings> = {},
  options: TestBankOptions = {},
  sources?: (client: UnitClient) => InboundSource[],
): Promise<OpenedUnit> {
  const fake = await openFakeUnit()
  const log: Log = options.log ?? pino({ level: 'silent' })
  const client = openUnitClient({
    url: fake.url,
    token: fake.token,
    requestsPerMinute: 0,
    limitMs: 1_000,
    timeouts: { callMs: 10_000, totalMs: 30_000, uploadMs: 120_000 },
    log,
    ...settings,
  })
  const bank = await openTestBank({
    ...options,
    ...(sources && { inbound: sources(client) }),
    log,
    banking: ({ database, runOnce, seals }) =>
      openUnitBank(
        { client, claims: openClaims({ database, runOnce, seals, waitMs: options.waitMs ?? 10_000 }) },
        settings,
      ),
  })
  const arrange: Arrange = {
    customer: async () => fake.addCustomer().id,
    fund: async (accountId, amount) => void fake.fund(accountId, amount),
    activate: async (cardId) => fake.activate(cardId),
    authorize: async (cardId, amount) => fake.authorize(cardId, amount).id,
    statement: async (accountId, period) => fake.addStatement(accountId, period).id,
    application: () => makeApplication(bank),
  }
  const close = async () => {
    await bank.close()
    await client.close()
    await fake.close()
  }
  const own = {
    sentType: 'originatedAchTransaction',
    backUploaded: { documentType: 'IdDocument', status: 'ReceivedBack' },
  }
  return { bank, arrange, own, faults: () => [...fake.undescribed, ...fake.misshapen], fake, close }
}
