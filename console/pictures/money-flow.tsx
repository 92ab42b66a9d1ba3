import { useMemo, useRef, useState } from 'react'
import type { LedgerFlow } from '../../client/src/index.ts'
import { Table } from '../components/lists/table.tsx'
import { money } from '../data/format.ts'
import { kindName } from '../data/ledger.ts'
import { type FlowNode, flowLayout } from './flow-layout.ts'
import styles from './money-flow.module.css'
import { useWidth } from './width.ts'

const HEIGHT = 300

/** Money between the kinds of accounts, as bands whose width is the amount, and the same as a table. */
export function MoneyFlow({ flows }: { flows: readonly LedgerFlow[] }) {
  return (
    <>
      <Bands flows={flows} />
      <details className={styles.table}>
        <summary>As a table</summary>
        <Table
          label="Money flow"
          rows={flows}
          keyOf={({ debitKind, creditKind }) => `${debitKind} ${creditKind}`}
          columns={[
            { head: 'From', cell: ({ debitKind }) => kindName(debitKind), card: 'who' },
            { head: 'To', cell: ({ creditKind }) => kindName(creditKind), card: 'to' },
            { head: 'Transfers', cell: ({ transfers }) => transfers.toLocaleString('en-US'), number: true, wide: true },
            { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
          ]}
        />
      </details>
    </>
  )
}

function Bands({ flows }: { flows: readonly LedgerFlow[] }) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const { nodes, bands } = useMemo(() => flowLayout(flows, width, HEIGHT), [flows, width])
  const [pointed, setPointed] = useState<string>()
  const said = bands.find(({ id }) => id === pointed)
  return (
    <div ref={place}>
      <p className="muted" aria-hidden="true">
        {said ? `${said.title}: ${money(said.amount)}` : 'The width of a band is its amount'}
      </p>
      <svg width={width} height={HEIGHT} role="img" aria-label={bands.map(textOf).join('; ')} className={styles.flow}>
        {bands.map(({ id, path, width: thick }) => (
          <path
            key={id}
            d={path}
            strokeWidth={thick}
            className={id === pointed ? styles.pointed : styles.band}
            onPointerEnter={() => setPointed(id)}
            onPointerLeave={() => setPointed(undefined)}
          />
        ))}
        {nodes.map((node) => (
          <NodeMark key={node.id} node={node} />
        ))}
      </svg>
    </div>
  )
}

function NodeMark({ node: { name, amount, x, y, width, height, anchor } }: { node: FlowNode }) {
  const at = anchor === 'start' ? x : anchor === 'end' ? x + width : x + width / 2
  return (
    <g>
      <rect x={x} y={y} width={width} height={height} rx={2} className={styles.node} />
      <text x={at} y={y - 7} textAnchor={anchor} className={styles.name}>
        {name} <tspan className={styles.amount}>{money(amount)}</tspan>
      </text>
    </g>
  )
}

function textOf({ title, amount }: { title: string; amount: number }): string {
  return `${title}: ${money(amount)}`
}
