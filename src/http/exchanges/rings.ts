import { BLOCK_BYTES, Block, exactSizeOf, type KeptExchange, textsOf } from './block.ts'
import type { Exchange } from './exchange.ts'

/** The latest exchanges of every organisation, numbered in the order of their answers. */
export interface Rings {
  add(organisationId: number, exchange: Exchange): void
  /** The exchanges after a number and before another. */
  range(organisationId: number, range: ExchangeRange): Iterable<KeptExchange>
  find(organisationId: number, sequence: number): KeptExchange | undefined
  /** The number of the latest exchange, 0 if there is none. */
  head(organisationId: number): number
  /** Bytes that all rings take. */
  bytes(): number
}

interface ExchangeRange {
  after: number
  before: number
  descending: boolean
}

export interface RingLimits {
  /** The largest number of exchanges of one organisation. */
  perOrganisation: number
  /** The largest number of bytes of all organisations together. */
  bytes: number
}

export const ringLimits: RingLimits = { perOrganisation: 5_000, bytes: 32 * 1024 * 1024 }

/** The room in the first block of a ring. Each further one has twice as much, up to the largest. */
const FIRST_BLOCK = 8 * 1024
const LARGEST_BLOCK = 64 * 1024

interface Ring {
  organisationId: number
  blocks: Block[]
  bytes: number
  /** The power of two below its bytes. */
  size: number
  /** The place of the next exchange. */
  next: number
  /** The number of the latest exchange. If there are several processes, it is no place. */
  last: number
}

/** The rings by organisation, and the memory that they take. */
interface Shelf {
  rings: Map<number, Ring>
  /** The rings by the power of two of their bytes: to compare thousands would take longer than the request. */
  bySize: Set<Ring>[]
  /** The block that was dropped last, to be used again. */
  spare: Block | undefined
  bytes: number
}

/**
 * Opens rings without exchanges. If all together would be too large, the oldest exchanges of the largest ring give
 * way, so that a busy organisation does not take the place of the others.
 */
export function openRings(now: () => number, limits: RingLimits = ringLimits, nextNumber?: () => number): Rings {
  const bySize = Array.from({ length: 32 }, () => new Set<Ring>())
  const shelf: Shelf = { rings: new Map(), bySize, spare: undefined, bytes: 0 }
  const { rings } = shelf
  const { perOrganisation } = limits

  return {
    add(organisationId, exchange) {
      const texts = textsOf(exchange)
      let ring = rings.get(organisationId)
      const number = nextNumber?.()
      if (!ring?.blocks.at(-1)?.add(exchange, texts, number ?? ring.next)) {
        const room = roomFor(ring, exactSizeOf(texts))
        while (shelf.bytes + room + BLOCK_BYTES > limits.bytes && rings.size > 0) dropFromLargest(shelf)
        // Numbers grow when the process is started again, too: a caller that goes on after a number misses nothing.
        ring = rings.get(organisationId) ?? openRing(shelf, organisationId, now() * 1_000)
        addBlock(shelf, ring, room).add(exchange, texts, number ?? ring.next)
      }
      ring.last = number ?? ring.next
      ring.next++
      const second = ring.blocks[1]
      if (second && ring.next - second.first >= perOrganisation) dropOldest(shelf, ring)
    },

    *range(organisationId, { after, before, descending }) {
      const ring = rings.get(organisationId)
      if (!ring) return
      const low = placeFrom(ring, perOrganisation, after + 1)
      const high = placeFrom(ring, perOrganisation, before) - 1
      for (let passed = 0; passed <= high - low; passed++) {
        yield exchangeIn(ring, descending ? high - passed : low + passed)
      }
    },

    find(organisationId, sequence) {
      const ring = rings.get(organisationId)
      const place = ring ? placeFrom(ring, perOrganisation, sequence) : 0
      const found = ring && place < ring.next ? exchangeIn(ring, place) : undefined
      return found?.sequence === sequence ? found : undefined
    },

    head: (organisationId) => rings.get(organisationId)?.last ?? 0,
    bytes: () => shelf.bytes + (shelf.spare?.size ?? 0),
  }
}

function openRing({ rings }: Shelf, organisationId: number, next: number): Ring {
  const ring = { organisationId, blocks: [], bytes: 0, size: 0, next, last: 0 }
  rings.set(organisationId, ring)
  return ring
}

/** The room of a ring's next block, for an exchange that does not fit into the last one. */
function roomFor(ring: Ring | undefined, least: number): number {
  const last = ring?.blocks.at(-1)
  return Math.max(least, Math.min(LARGEST_BLOCK, last ? 2 * last.room : FIRST_BLOCK))
}

function addBlock(shelf: Shelf, ring: Ring, room: number): Block {
  const block = shelf.spare?.room === room ? shelf.spare : new Block(room)
  shelf.spare = undefined
  block.clear(ring.next)
  ring.blocks.push(block)
  grow(shelf, ring, block.size)
  return block
}

function grow(shelf: Shelf, ring: Ring, bytes: number): void {
  shelf.bytes += bytes
  ring.bytes += bytes
  shelf.bySize[ring.size]?.delete(ring)
  ring.size = 31 - Math.clz32(ring.bytes)
  shelf.bySize[ring.size]?.add(ring)
}

function dropOldest(shelf: Shelf, ring: Ring): void {
  shelf.spare = ring.blocks.shift()
  grow(shelf, ring, -(shelf.spare?.size ?? 0))
  if (ring.blocks.length === 0) shelf.rings.delete(ring.organisationId)
}

/** The largest to a factor of two. */
function dropFromLargest(shelf: Shelf): void {
  const [largest] = shelf.bySize.findLast((rings) => rings.size > 0) ?? []
  if (largest) dropOldest(shelf, largest)
}

/** The place of the first exchange that is shown and has this number or a higher one; after the last if none has. */
function placeFrom(ring: Ring, perOrganisation: number, sequence: number): number {
  let low = oldestOf(ring, perOrganisation)
  let high = ring.next
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (exchangeIn(ring, middle).sequence < sequence) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of the oldest exchange of a ring that is shown. */
function oldestOf({ blocks, next }: Ring, perOrganisation: number): number {
  return Math.max(blocks[0]?.first ?? next, next - perOrganisation)
}

/** The exchange at a place that the ring has. */
function exchangeIn({ blocks }: Ring, place: number): KeptExchange {
  let low = 0
  let high = blocks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((blocks[middle] as Block).first <= place) low = middle
    else high = middle - 1
  }
  return (blocks[low] as Block).at(place)
}
