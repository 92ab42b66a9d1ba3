import { type ComponentProps, lazy, Suspense } from 'react'
import { Reading } from '../../components/feedback/empty.tsx'

// The outlines of the states are read by those who open the map alone.
const OfferMap = lazy(async () => ({ default: (await import('../../pictures/offer-map.tsx')).OfferMap }))

/** The map of offers, which is read when it is first shown. */
export function LazyMap(props: ComponentProps<typeof OfferMap>) {
  return (
    <Suspense fallback={<Reading lines={8} />}>
      <OfferMap {...props} />
    </Suspense>
  )
}
