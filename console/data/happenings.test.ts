import { describe, expect, it } from 'vitest'
import { aheadText, comingGroups, comingText, doneText, grouped, nextDue } from './happenings.ts'

const at = '2026-12-01T00:00:00.000Z'

describe('happenings', () => {
  it('of one type at one time are one group', () => {
    const statements = ['1', '2'].map((id) => ({ at, type: 'statement.created', id }))
    const reward = { at, type: 'reward.paid', id: '3' }
    expect(grouped([...statements, reward, { ...reward, at: '2026-12-02T00:00:00.000Z' }])).toEqual([
      { at, type: 'statement.created', ids: ['1', '2'] },
      { at, type: 'reward.paid', ids: ['3'] },
      { at: '2026-12-02T00:00:00.000Z', type: 'reward.paid', ids: ['3'] },
    ])
  })

  it('are described before and after they happened', () => {
    expect(comingText({ type: 'month.ended', ids: ['2026-11'] })).toBe(
      'November 2026 ends, and every account gets its statement',
    )
    expect(doneText({ at, type: 'statement.created', ids: ['1', '2'] })).toBe('2 statements created')
    expect(doneText({ at, type: 'reward.paid', ids: ['1'] })).toBe('Reward paid')
    expect(doneText({ at, type: 'payment.sent', ids: ['1', '2'] })).toBe('2 × payment sent')
  })
})

describe('things that are due', () => {
  const later = '2026-12-02T00:00:00.000Z'
  const sent = ['d1', 'd2', 'd3'].map((id) => ({ at, type: 'webhook.delivered', id }))
  const expiry = { at: later, type: 'authorization.canceled', id: '7' }

  it('have all deliveries that are repeated as one', () => {
    const groups = comingGroups([...sent, { ...expiry }, { at: later, type: 'webhook.delivered', id: 'd4' }])
    expect(groups.map((group) => [group.at, comingText(group)])).toEqual([
      [at, '4 × webhook is sent again'],
      [later, 'Authorization expires'],
    ])
  })

  it('have a next one beside the deliveries', () => {
    expect(nextDue([...sent, expiry])).toEqual(expiry)
    expect(nextDue(sent)).toBeUndefined()
  })
})

describe('the distance from real time', () => {
  it.each([
    [30_000, undefined],
    [90_000, '1 minute ahead of real time'],
    [-7_200_000, '2 hours behind real time'],
    [31 * 86_400_000, '31 days ahead of real time'],
  ])('of %d ms is %s', (ms, text) => expect(aheadText(ms, 0)).toBe(text))
})
