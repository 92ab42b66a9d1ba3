import { type SankeyLink, type SankeyNode, sankey, sankeyLinkHorizontal } from 'd3-sankey'
import type { LedgerFlow } from '../../client/src/index.ts'
import { kindName } from '../data/ledger.ts'

interface NodeFacts {
  id: string
  name: string
}
interface LinkFacts {
  amount: number
}

export interface FlowNode {
  id: string
  name: string
  amount: number
  x: number
  y: number
  width: number
  height: number
  /** The side of the node on which its text has room. */
  anchor: 'start' | 'middle' | 'end'
}

export interface FlowBand {
  id: string
  path: string
  width: number
  /** The text of the band. */
  title: string
  from: string
  to: string
  amount: number
}

/**
 * Money flows from left to right: from internal accounts to the deposits of customers in the middle, and from there to
 * internal accounts. An internal account that money comes from and goes to is drawn on both sides.
 */
export function flowLayout(
  flows: readonly LedgerFlow[],
  width: number,
  height: number,
): { nodes: FlowNode[]; bands: FlowBand[] } {
  const moving = flows.filter(({ amount }) => amount > 0)
  if (moving.length === 0) return { nodes: [], bands: [] }
  const links = moving.map(({ debitKind, creditKind, amount }) => ({
    source: debitKind === 'deposit' ? 'deposit' : `from ${debitKind}`,
    target: creditKind === 'deposit' && debitKind !== 'deposit' ? 'deposit' : `to ${creditKind}`,
    value: amount,
    amount,
  }))
  const ids = [...new Set(links.flatMap(({ source, target }) => [source, target]))]
  const layout = sankey<NodeFacts, LinkFacts>()
    .nodeId(({ id }) => id)
    .nodeWidth(10)
    .nodePadding(28)
    .extent([
      [1, 22],
      [width - 1, height - 6],
    ])
  const drawn = layout({ nodes: ids.map((id) => ({ id, name: nameOf(id) })), links })
  const path = sankeyLinkHorizontal()
  return {
    nodes: drawn.nodes.map((node) => nodeOf(node, width)),
    bands: drawn.links.map((link) => bandOf(link, path(link) ?? '')),
  }
}

function nameOf(id: string): string {
  if (id === 'deposit') return kindName('deposit')
  if (id === 'to deposit') return 'Between customers'
  return kindName(id.replace(/^(from|to) /, ''))
}

function nodeOf(node: SankeyNode<NodeFacts, LinkFacts>, width: number): FlowNode {
  const { id, name, value = 0, x0 = 0, x1 = 0, y0 = 0, y1 = 0 } = node
  const anchor = x0 < width / 3 ? 'start' : x1 > (width * 2) / 3 ? 'end' : 'middle'
  return { id, name, amount: value, x: x0, y: y0, width: x1 - x0, height: Math.max(1, y1 - y0), anchor }
}

function bandOf(link: SankeyLink<NodeFacts, LinkFacts>, path: string): FlowBand {
  const [source, target] = [link.source, link.target] as SankeyNode<NodeFacts, LinkFacts>[]
  const from = source?.name ?? ''
  const to = target?.name ?? ''
  // A flow that is small beside the others stays visible.
  const width = Math.max(1.5, link.width ?? 0)
  return { id: `${source?.id} ${target?.id}`, path, width, title: `${from} to ${to}`, from, to, amount: link.amount }
}
