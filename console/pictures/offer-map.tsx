import { geoAlbersUsa, geoCircle, geoMercator, geoPath } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import atlas from 'us-atlas/states-10m.json' with { type: 'json' }
import type { Place } from '../data/offers.ts'
import styles from './offer-map.module.css'

type Topology = Parameters<typeof mesh>[0]
type Outlines = NonNullable<Parameters<typeof mesh>[1]>

const topology = atlas as unknown as Topology & { objects: { states: Outlines } }
const states = feature(topology, topology.objects.states)
const borders = mesh(topology, topology.objects.states)

const SIZE = 440
const EARTH_MILES = 3_958.8

export interface Dot {
  id: string
  name: string
  at: Place
}

/** Offers around a place, within a radius in miles, and the place within the country. Drawn from outlines, without tiles. */
export function OfferMap({
  centre,
  radius,
  dots,
  chosen,
  choose,
}: {
  centre: Place
  radius: number
  dots: readonly Dot[]
  chosen: string | undefined
  choose(id: string): void
}) {
  const around = (miles: number) =>
    geoCircle()
      .center([centre.long, centre.lat])
      .radius((miles / EARTH_MILES) * (180 / Math.PI))()
  const projection = geoMercator().fitExtent(
    [
      [14, 14],
      [SIZE - 14, SIZE - 14],
    ],
    around(radius),
  )
  const path = geoPath(projection)
  const ordered = [...dots].sort((one, other) => Number(one.id === chosen) - Number(other.id === chosen))
  return (
    <div className={styles.map}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={`${dots.length} offers within ${radius} miles`}>
        <path d={path(states) ?? ''} className={styles.land} />
        <path d={path(borders) ?? ''} className={styles.border} />
        {[radius, radius / 2].map((miles) => (
          <path key={miles} d={path(around(miles)) ?? ''} className={styles.ring} />
        ))}
        <Centre at={projection([centre.long, centre.lat])} />
        {ordered.map(({ id, name, at }) => {
          const point = projection([at.long, at.lat])
          if (!point) return null
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list beside serves the keyboard.
            <circle
              key={id}
              cx={point[0]}
              cy={point[1]}
              r={id === chosen ? 8 : 5}
              className={id === chosen ? styles.chosen : styles.dot}
              onClick={() => choose(id)}
            >
              <title>{name}</title>
            </circle>
          )
        })}
        <text x={SIZE / 2} y={SIZE - 3} textAnchor="middle" className={styles.label}>
          {radius} miles
        </text>
      </svg>
      <Country centre={centre} />
    </div>
  )
}

function Centre({ at }: { at: [number, number] | null }) {
  if (!at) return null
  return <path d={`M${at[0] - 6},${at[1]}h12M${at[0]},${at[1] - 6}v12`} className={styles.cross} />
}

/** The place within the country. Places outside the states have no point on it. */
function Country({ centre }: { centre: Place }) {
  const projection = geoAlbersUsa().fitSize([120, 76], states)
  const path = geoPath(projection)
  const point = projection([centre.long, centre.lat])
  return (
    <svg viewBox="0 0 120 76" className={styles.country} aria-hidden="true">
      <path d={path(states) ?? ''} className={styles.land} />
      <path d={path(borders) ?? ''} className={styles.border} />
      {point && <circle cx={point[0]} cy={point[1]} r={3} className={styles.chosen} />}
    </svg>
  )
}
