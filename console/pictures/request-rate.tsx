import { useState } from 'react'
import type { LoggedRequest } from '../../client/src/index.ts'
import { Card } from '../components/layout/card.tsx'
import { Tabs } from '../components/layout/tabs.tsx'
import { useNow } from '../data/bank-time.ts'
import { type Rate, ratesOf } from '../data/developers/traffic.ts'
import { count, timeOfDay, utc } from '../data/format.ts'
import styles from './request-rate.module.css'

const STEPS = 60
const names = ['Minutes', 'Seconds'] as const
type Step = (typeof names)[number]
const stepMs: Record<Step, number> = { Minutes: 60_000, Seconds: 1_000 }

/** Requests by minute or by second, with the refused ones marked, as bars and as a table. */
export function RequestRate({ requests }: { requests: readonly LoggedRequest[] }) {
  const [step, setStep] = useState<Step>('Minutes')
  const nowMs = useNow(step === 'Seconds' ? 1_000 : 5_000)
  const rates = ratesOf(requests, nowMs, stepMs[step], STEPS)
  const total = rates.reduce((sum, { accepted, refused }) => sum + accepted + refused, 0)
  const refused = rates.reduce((sum, rate) => sum + rate.refused, 0)
  const span = step === 'Minutes' ? 'the last hour' : 'the last minute'
  return (
    <Card
      title={`Requests of ${span}`}
      aside={<Tabs label="Step" names={names} chosen={step} choose={(name) => setStep(name)} />}
    >
      <p className={styles.sum}>
        <b>{count(total)}</b> {total === 1 ? 'request' : 'requests'}
        {refused > 0 && <span className="bad">{count(refused)} refused</span>}
      </p>
      <Bars rates={rates} label={`${total} requests of ${span}, ${refused} refused`} />
      <div className={styles.axis}>
        <span>{step === 'Minutes' ? '60 minutes ago' : '60 seconds ago'}</span>
        <span>now</span>
      </div>
      <details className={styles.table}>
        <summary>As a table</summary>
        <RateTable rates={rates} seconds={step === 'Seconds'} />
      </details>
    </Card>
  )
}

function Bars({ rates, label }: { rates: readonly Rate[]; label: string }) {
  const most = Math.max(1, ...rates.map(({ accepted, refused }) => accepted + refused))
  return (
    <svg className={styles.bars} viewBox={`0 0 ${STEPS} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
      {rates.map(({ fromMs, accepted, refused }, at) => {
        const full = ((accepted + refused) / most) * 100
        const bad = (refused / most) * 100
        return (
          <g key={fromMs}>
            <rect x={at + 0.12} width={0.76} y={99} height={1} className={styles.ground} />
            <rect x={at + 0.12} width={0.76} y={100 - full} height={full - bad} className={styles.accepted} />
            <rect x={at + 0.12} width={0.76} y={100 - bad} height={bad} className={styles.refused} />
          </g>
        )
      })}
    </svg>
  )
}

function RateTable({ rates, seconds }: { rates: readonly Rate[]; seconds: boolean }) {
  const busy = rates.filter(({ accepted, refused }) => accepted + refused > 0).reverse()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col" className="number">
            Accepted
          </th>
          <th scope="col" className="number">
            Refused
          </th>
        </tr>
      </thead>
      <tbody>
        {busy.map(({ fromMs, accepted, refused }) => (
          <tr key={fromMs}>
            <td title={utc(new Date(fromMs).toISOString())}>
              {timeOfDay(new Date(fromMs).toISOString()).slice(0, seconds ? 8 : 5)}
            </td>
            <td className="number">{accepted}</td>
            <td className="number">{refused}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
