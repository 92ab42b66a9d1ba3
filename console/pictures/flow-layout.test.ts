import { describe, expect, it } from 'vitest'
import { flowLayout } from './flow-layout.ts'

function flow(debitKind: string, creditKind: string, amount: number) {
  return { debitKind, creditKind, amount, transfers: 1 }
}

describe('the money flow', () => {
  it('without a transfer is empty', () => {
    expect(flowLayout([flow('deposit', 'achClearing', 0)], 800, 300)).toEqual({ nodes: [], bands: [] })
  })

  it('has internal accounts on both sides of the deposits', () => {
    const flows = [
      flow('achClearing', 'deposit', 500),
      flow('deposit', 'achClearing', 200),
      flow('deposit', 'deposit', 50),
      flow('rewardsFunding', 'deposit', 10),
    ]
    const { nodes, bands } = flowLayout(flows, 800, 300)
    const placed = nodes.map(({ id, anchor, amount }) => [id, anchor, amount])
    expect(placed).toContainEqual(['from achClearing', 'start', 500])
    expect(placed).toContainEqual(['to achClearing', 'end', 200])
    expect(placed).toContainEqual(['to deposit', 'end', 50])
    expect(placed).toContainEqual(['deposit', 'middle', 510])
    expect(bands.map(({ title, amount }) => [title, amount])).toContainEqual([
      'Deposits of customers to Between customers',
      50,
    ])
  })

  it('keeps a flow of a cent visible beside the largest one', () => {
    const flows = [flow('achClearing', 'deposit', Number.MAX_SAFE_INTEGER), flow('rewardsFunding', 'deposit', 1)]
    const { nodes, bands } = flowLayout(flows, 800, 300)
    expect(Math.min(...bands.map(({ width }) => width))).toBeGreaterThanOrEqual(1.5)
    for (const { x, y, height } of nodes) for (const value of [x, y, height]) expect(value).toBeGreaterThanOrEqual(0)
  })
})
