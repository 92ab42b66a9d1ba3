import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  idsOf,
  listRecords,
  makeBankCard,
  makeLink,
  makePartnerUser,
  setRemoved,
} from '../../../test/support/rewards.ts'

let bank: TestBank
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
let links: any[]

beforeAll(async () => {
  bank = await openTestBank()
  const [ada, grace] = [await makePartnerUser(bank), await makePartnerUser(bank)]
  const card = await makeBankCard(bank)
  const old = await makeLink(bank, ada.id, card)
  const removed = (await setRemoved(bank, 'partner-user-cards', old.id, true)).json.data
  links = [removed, await makeLink(bank, grace.id, card), await makeLink(bank, ada.id, await makeBankCard(bank))]
})
afterAll(() => bank.close())

describe('list partner user cards', () => {
  test('answers whole links by id', async () => {
    const { status, json } = await listRecords(bank, 'partner-user-cards')
    expect([status, json]).toEqual([200, { data: links }])
    expect(await idsOf(bank, 'partner-user-cards', {}, bank.otherKey)).toEqual([])
  })

  test('filters by card, by partner user and by what is live', async () => {
    const [removed, live, other] = links
    const of = (columnNames: string, value: unknown) =>
      idsOf(bank, 'partner-user-cards', { whereClause: '$C1 = $V1', columnNames, values: `[${value}]` })
    expect(await of('bankCardId', live.bankCardId)).toEqual([removed.id, live.id])
    expect(await of('partnerUserId', other.partnerUserId)).toEqual([removed.id, other.id])
    expect(await of('isRemoved', false)).toEqual([live.id, other.id])
    const both = {
      whereClause: '$C1 = $V1 AND NOT $C2 = $V2',
      columnNames: 'bankCardId, isRemoved',
      values: `["${live.bankCardId}"],[true]`,
    }
    expect(await idsOf(bank, 'partner-user-cards', both)).toEqual([live.id])
  })
})
