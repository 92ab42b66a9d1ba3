import { BLOCK_BYTES, Block, type KeptExchange, roomOf, writtenFrom } from './block.ts'
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
  /** How many exchanges its blocks have. */
  count: number
  /** The number of the latest exchange. */
  last: number
}

/** The rings by organisation, and the memory that they take. */
interface Shelf {
  rings: Map<number, Ring>
  /** The rings by the power of two of their bytes: to compare thousands would take longer than the request. */
  bySize: Set<Ring>[]
  bytes: number
  /** The block that was dropped last, to be used again. */
  spare?: Block | undefined
}

/**
 * Opens rings without exchanges. If all together would be too large, the oldest exchanges of the largest ring give
 * way, so that a busy organisation does not take the place of the others.
 */
export function openRings(now: () => number, limits: RingLimits = ringLimits, nextNumber?: () => number): Rings {
  const bySize = Array.from({ length: 32 }, () => new Set<Ring>())
  const shelf: Shelf = { rings: new Map(), bySize, bytes: 0 }
  const { rings } = shelf
  const { perOrganisation } = limits

  return {
    add(organisationId, exchange) {
      const written = writtenFrom(exchange)
      let ring = rings.get(organisationId)
      // Numbers grow when the process is started again, too: a caller that goes on after a number misses nothing.
      const number = nextNumber?.() ?? (ring ? ring.last + 1 : now() * 1_000)
      if (!ring?.blocks.at(-1)?.add(written, number)) {
        const room = roomFor(ring, roomOf(written))
        while (shelf.bytes + room + BLOCK_BYTES > limits.bytes && rings.size > 0) dropFromLargest(shelf)
        ring = rings.get(organisationId) ?? openRing(shelf, organisationId)
        addBlock(shelf, ring, room).add(written, number)
      }
      ring.last = number
      ring.count++
      const [first] = ring.blocks
      if (first && ring.count - first.sequences.length >= perOrganisation) dropOldest(shelf, ring)
    },

    *range(organisationId, { after, before, descending }) {
      const { blocks, count } = rings.get(organisationId) ?? { blocks: [], count: 0 }
      const hidden = blocks[0]?.sequences[count - perOrganisation - 1] ?? 0
      const low = Math.max(after, hidden)
      for (const block of descending ? blocks.toReversed() : blocks) {
        if ((block.sequences.at(-1) ?? 0) <= low || (block.sequences[0] ?? 0) >= before) continue
        const places = [...block.sequences.keys()]
        for (const place of descending ? places.reverse() : places) {
          const sequence = block.sequences[place] ?? 0
          if (sequence > low && sequence < before) yield block.at(place)
        }
      }
    },

    find(organisationId, sequence) {
      const [found] = this.range(organisationId, { after: sequence - 1, before: sequence + 1, descending: false })
      return found
    },

    head: (organisationId) => rings.get(organisationId)?.last ?? 0,
    bytes: () => shelf.bytes + (shelf.spare?.size ?? 0),
  }
}

function openRing({ rings }: Shelf, organisationId: number): Ring {
  const ring = { organisationId, blocks: [], bytes: 0, size: 0, count: 0, last: 0 }
  rings.set(organisationId, ring)
  return ring
}

/** The room of a ring's next block, for an exchange that does not fit into the last one. */
function roomFor(ring: Ring | undefined, least: number): number {
  const last = ring?.blocks.at(-1)
  return Math.max(least, Math.min(LARGEST_BLOCK, last ? 2 * last.room : FIRST_BLOCK))
}

function addBlock(shelf: Shelf, ring: Ring, room: number): Block {
  const block = shelf.spare?.room === room ? shelf.spare.clear() : new Block(room)
  shelf.spare = undefined
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
  const dropped = ring.blocks.shift()
  shelf.spare = dropped
  ring.count -= dropped?.sequences.length ?? 0
  grow(shelf, ring, -(dropped?.size ?? 0))
  if (ring.blocks.length === 0) shelf.rings.delete(ring.organisationId)
}

/** The largest to a factor of two. */
function dropFromLargest(shelf: Shelf): void {
  const [largest] = shelf.bySize.findLast((rings) => rings.size > 0) ?? []
  if (largest) dropOldest(shelf, largest)
}
