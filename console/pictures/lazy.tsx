import { type ComponentType, lazy, Suspense } from 'react'
import { Reading } from '../components/feedback/empty.tsx'

/** A component whose script is read when it is first shown. */
function late<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Late = lazy(async () => ({ default: await read() })) as unknown as ComponentType<Props>
  return (props) => (
    <Suspense fallback={<Reading lines={8} />}>
      <Late {...props} />
    </Suspense>
  )
}

export const LazyMap = late(async () => (await import('./offer-map.tsx')).OfferMap)
export const LazyCurve = late(async () => (await import('./balance-curve.tsx')).BalanceCurve)
export const LazyFlow = late(async () => (await import('./money-flow.tsx')).MoneyFlow)
export const LazyBars = late(async () => (await import('./bars.tsx')).Bars)
