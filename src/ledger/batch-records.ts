import type { Queryable } from '../database/database.ts'
import type { Command } from './books.ts'
import type { AnyKind, ReadBatch } from './kinds.ts'

/** The records of a batch that are no accounts: kinds are always read and written in the order in which the bank lists them. */
export interface BatchRecords {
  /** The rows that were read, by kind. */
  rows: Map<AnyKind, unknown[]>
  batch: ReadBatch
  /** Reads the early kinds. Their first statements are sent before the call returns. */
  readEarly(): Promise<unknown>
  readOthers(): Promise<void>
}

export function recordsOf(
  transaction: Queryable,
  kinds: AnyKind[],
  commands: Pick<Command<never>, 'reads'>[],
  { locking, slot, exact }: Pick<ReadBatch, 'locking' | 'slot' | 'exact'>,
): BatchRecords {
  const named = new Map<AnyKind, unknown[]>()
  const rows = new Map<AnyKind, unknown[]>()
  const add: ReadBatch['add'] = ({ kind, ids }) => {
    const known = named.get(kind)
    if (known) known.push(...ids)
    else named.set(kind, [...ids])
  }
  for (const { reads } of commands) if (reads) for (const each of reads) add(each)
  requireKnown(kinds, named.keys())
  const batch: ReadBatch = {
    ...{ locking, slot, exact, add },
    ...{ held: new Set(), accounts: [], times: new Map(), limits: new Map() },
    of: <Row>(kind: unknown) => (rows.get(kind as AnyKind) ?? []) as Row[],
  }
  async function read(kind: AnyKind): Promise<void> {
    const ids = named.get(kind) ?? []
    if (kind.read && ids.length > 0) rows.set(kind, await kind.read(transaction, ids, batch))
  }
  return {
    rows,
    batch,
    readEarly: () => inOrder(kinds.filter((kind) => kind.early && named.has(kind)).map(read)),
    async readOthers() {
      for (const kind of kinds) if (!kind.early && named.has(kind)) await read(kind)
    },
  }
}

/**
 * The results of statements that were sent one after the other. If several fail, the error of the first counts: PostgreSQL refuses
 * those after it because of it.
 */
export async function inOrder<Results extends unknown[]>(
  statements: {
    [Place in keyof Results]: Promise<Results[Place]>
  },
): Promise<Results> {
  for (const statement of statements) statement.catch(() => undefined)
  const results: unknown[] = []
  for (const statement of statements) results.push(await statement)
  return results as Results
}

/** Writes the changes of the records that decisions have used. */
export async function writeRecords(
  transaction: Queryable,
  kinds: AnyKind[],
  opened: Map<AnyKind, unknown>,
  slot: number,
): Promise<void> {
  requireKnown(kinds, opened.keys())
  for (const kind of kinds) {
    if (kind.write && opened.has(kind)) await kind.write(transaction, opened.get(kind), slot)
  }
}

/** Sends the statements of what kinds change after the accounts. Most batches have none. */
export function writeBehind(transaction: Queryable, kinds: AnyKind[], opened: Map<AnyKind, unknown>): Promise<void>[] {
  return kinds.flatMap((kind) => (opened.has(kind) && kind.writeBehind?.(transaction, opened.get(kind))) || [])
}

function requireKnown(kinds: AnyKind[], used: Iterable<AnyKind>): void {
  for (const kind of used) if (!kinds.includes(kind)) throw new Error(`the lane does not know the records ${kind.name}`)
}
