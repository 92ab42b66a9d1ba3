import { baiFile } from '../../rails/statements.ts'
import type { Call } from './cast.ts'

/** A fee on the statement of a day, for which somebody answers, and the day that is closed with it. Returns the item of the fee. */
export async function closeDays(call: Call, key: string): Promise<string> {
  const day = '2024-06-14'
  const file = baiFile({ asOf: day, opening: 0, lines: [{ amount: -15_00, code: '698', text: 'FEES' }] })
  const body = { name: '2024-06-14.bai', file: Buffer.from(file).toString('base64') }
  await call('takeBankStatement', { key, body })
  await call('listBankStatements', { key, query: { limit: 2 } })
  const [item] = await call('listSettlementItems', { key, query: { limit: 2 } })
  const note = { decision: 'note', owner: 'Ada', reason: 'The bank was asked' }
  await call('decideSettlementItem', { key, params: { settlementItemId: item.id }, body: note })
  await call('listClosingDays', { key, query: { month: '2024-06' } })
  await call('closeDay', { key, params: { day } })
  await call('getClosingDay', { key, params: { day } })
  await call('reopenDay', { key, params: { day }, body: { reason: 'The bank corrects its statement' } })
  return item.id
}
