import { expect, test } from 'vitest'
import type { Queryable } from '../database/database.ts'
import { inOrder, recordsOf, writeRecords } from './batch-records.ts'
import { type AnyKind, recordKind } from './kinds.ts'

const plain = { locking: 'wait', slot: 0, exact: false } as const
const nowhere = {} as Queryable

/** A kind that notes when it is read and written. */
function noting(name: string, notes: string[], early = false) {
  return recordKind({
    name,
    early,
    async read(_transaction, ids: number[]) {
      notes.push(`reads ${name} ${ids.join(' ')}`)
      return ids
    },
    open: (rows: number[]) => rows,
    async write(_transaction, book, slot) {
      notes.push(`writes ${name} ${book.join(' ')} in slot ${slot}`)
    },
  })
}

test('A batch reads the kinds that its commands name, in the order of the list, and no others', async () => {
  const notes: string[] = []
  const [first, early, last, unused] = [
    noting('first', notes),
    noting('early', notes, true),
    noting('last', notes),
    noting('unused', notes),
  ]
  const kinds = [first, early, unused, last] as AnyKind[]
  const commands = [{ reads: [last.ids([3]), first.ids([1])] }, {}, { reads: [early.ids([9]), first.ids([2])] }]
  const records = recordsOf(nowhere, kinds, commands, plain)
  await records.readEarly()
  expect(notes).toEqual(['reads early 9'])
  await records.readOthers()
  expect(notes.slice(1)).toEqual(['reads first 1 2', 'reads last 3'])
  expect(records.batch.of(first)).toEqual([1, 2])
  expect(records.batch.of(unused)).toEqual([])
})

test('A kind names further records of a kind behind it', async () => {
  const notes: string[] = []
  const behind = noting('behind', notes)
  const naming = recordKind({
    name: 'naming',
    async read(_transaction, ids: number[], batch) {
      batch.add(behind.ids(ids.map((id) => id + 1)))
      return ids
    },
    open: (rows: number[]) => rows,
  })
  const records = recordsOf(nowhere, [naming, behind] as AnyKind[], [{ reads: [naming.ids([1])] }], plain)
  await records.readOthers()
  expect(notes).toEqual(['reads behind 2'])
})

test('Records are written in the order of the list, whatever the order in which decisions used them', async () => {
  const notes: string[] = []
  const [first, unused, last] = [noting('first', notes), noting('unused', notes), noting('last', notes)]
  const opened = new Map<AnyKind, unknown>([
    [last as AnyKind, [2]],
    [first as AnyKind, [1]],
  ])
  await writeRecords(nowhere, [first, unused, last] as AnyKind[], opened, 7)
  expect(notes).toEqual(['writes first 1 in slot 7', 'writes last 2 in slot 7'])
})

test('A kind that the lane does not know is refused, and not lost', async () => {
  const unknown = noting('unknown', [])
  expect(() => recordsOf(nowhere, [], [{ reads: [unknown.ids([1])] }], plain)).toThrow(
    'the lane does not know the records unknown',
  )
  const opened = new Map<AnyKind, unknown>([[unknown as AnyKind, []]])
  await expect(writeRecords(nowhere, [], opened, 0)).rejects.toThrow('the lane does not know the records unknown')
})

test('The first of several statements that fail says why', async () => {
  const slow = new Promise((_resolve, reject) => setImmediate(() => reject(new Error('a lock timed out'))))
  const failures = [slow, Promise.reject(new Error('the transaction is aborted'))]
  await expect(inOrder(failures)).rejects.toThrow('a lock timed out')
  await expect(inOrder([Promise.resolve(1), Promise.resolve('b')])).resolves.toEqual([1, 'b'])
})
