import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedOfTest } from '../../../test/support/random.ts'
import { milesBetween, placeFrom, searchBox } from './place.ts'

const anywhere = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  long: fc.double({ min: -180, max: 180, noNaN: true }),
})
const bearings = fc.double({ min: 0, max: 360, noNaN: true })

describe('Places on the sphere', () => {
  test('are at the distance at which they were placed', () => {
    fc.assert(
      fc.property(anywhere, fc.double({ min: 0, max: 50, noNaN: true }), bearings, (place, miles, bearing) => {
        expect(milesBetween(place, placeFrom(place, miles, bearing))).toBeCloseTo(miles, 4)
      }),
      { seed: seedOfTest() },
    )
  })

  test('within a circle are within its box, also at the poles and the date line', () => {
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 1, max: 50 }), bearings, (centre, radius, bearing) => {
        const { lat, long } = placeFrom(centre, radius * 0.999999, bearing)
        const { bands, west, east } = searchBox(centre, radius)
        expect(bands).toContain(Math.floor(lat * 20))
        expect(long).toBeGreaterThanOrEqual(west)
        expect(long).toBeLessThanOrEqual(east)
      }),
      { seed: seedOfTest(), numRuns: 2_000 },
    )
  })

  test('have the known distances of cities', () => {
    const newYork = { lat: 40.7128, long: -74.006 }
    const losAngeles = { lat: 34.0522, long: -118.2437 }
    expect(milesBetween(newYork, losAngeles)).toBeCloseTo(2445.6, 0)
  })
})
