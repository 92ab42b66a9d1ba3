import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MAX_CENTS } from '../base/cents.ts'
import { Problem } from '../base/problem.ts'
import type { EventDraft } from '../events/event.ts'
import { type Books, type BooksState, type Command, needs, ShortShare } from './books.ts'
import { decideAll } from './decide.ts'
import { type AnyKind, recordBook, recordKind } from './kinds.ts'
import type { LedgerAccount } from './records.ts'

const noon = '2026-01-31T12:00:00.000Z'
const later = '2026-01-31T12:00:00.001Z'

function account(id: number, changes: Partial<LedgerAccount> = {}): LedgerAccount {
  return {
    id,
    organisationId: 1,
    customerId: id < 0 ? null : 7,
    name: `Account ${id}`,
    accountNumber: String(1_000_000_000 + id),
    status: 'Open',
    balance: 0,
    hold: 0,
    seq: 0,
    postedAt: null,
    limits: null,
    paymentBlock: null,
    ctid: '(0,1)',
    ...changes,
  }
}

const clearing = account(-1)

function state(accounts: LedgerAccount[], changes: Partial<BooksState> = {}): BooksState {
  return {
    accounts: [clearing, ...accounts],
    internals: new Map([[1, { ach_clearing: clearing.id }]]),
    times: new Map([[1, noon]]),
    limits: new Map(),
    records: new Map(),
    ...changes,
  }
}

/** A kind of record, as a bank registers its own. */
interface Note {
  id: number
  text: string
  version: number
}

const notes = recordKind({ name: 'notes', open: (rows: Note[], batch) => recordBook('note', rows, batch) })

/** The notes that commands have made and changed. */
function notesOf({ records }: ReturnType<typeof decideAll>): { inserted: Note[]; updated: Note[] } {
  const book = records.get(notes as AnyKind) as ReturnType<typeof notes.open> | undefined
  return { inserted: book?.inserted ?? [], updated: book?.updated ?? [] }
}

let nextId = 1_000_000

function command<Data>(decide: (books: Books) => Data, render = JSON.stringify): Command<never> {
  return {
    write: {
      caller: { organisationId: 1, keyId: 1 },
      requestId: 'request',
      key: { text: null, hash: randomBytes(32), fingerprint: randomBytes(32), fromCaller: true },
      render: (data: unknown) => ({ status: 201, body: render(data), replayed: false }),
    },
    accountIds: [],
    decide: decide as (books: Books) => never,
  }
}

/** Moves money; `from` and `to` are accounts that were read. */
function moved(books: Books, from: number, to: number, amount: number) {
  nextId += 2
  return books.transfer({
    id: nextId,
    debitAccountId: from,
    creditAccountId: to,
    amount,
    sourceKind: 'received_ach',
    sourceId: null,
    party: 'Sample',
    description: null,
  })
}

const move = (from: number, to: number, amount: number) => command((books) => moved(books, from, to, amount))

const refusalsOf = ({ outcomes }: ReturnType<typeof decideAll>) =>
  outcomes.map((outcome) => {
    if ('answer' in outcome) return 'done'
    if (!('refused' in outcome)) return JSON.stringify(outcome)
    return outcome.refused instanceof Problem ? outcome.refused.code : (outcome.refused as Error).message
  })

const balancesOf = ({ rows }: ReturnType<typeof decideAll>) =>
  Object.fromEntries(rows.accounts.map(({ account: { id, balance } }) => [id, balance]))

describe('decideAll', () => {
  test('gives a command the internal accounts of its own organisation that were read', () => {
    const ask = (kind: 'ach_clearing' | 'card_settlement') => command((books) => books.internal(kind).id)
    const { outcomes } = decideAll(state([]), [ask('ach_clearing'), ask('card_settlement')])
    expect(outcomes[0]).toMatchObject({ answer: { body: expect.stringContaining('-1') } })
    expect(outcomes[1]).toMatchObject({ refused: new Error('account 0 was not read under lock') })
  })

  test('numbers both sides of a transfer and carries the balance after it', () => {
    const { rows } = decideAll(state([account(1, { balance: 500, seq: 3 }), account(2, { balance: 5, seq: 9 })]), [
      move(1, 2, 120),
    ])
    expect(rows.transfers).toEqual([
      {
        id: nextId,
        organisationId: 1,
        debitAccountId: 1,
        debitSeq: 4,
        debitBalance: 380,
        creditAccountId: 2,
        creditSeq: 10,
        creditBalance: 125,
        amount: 120,
        sourceKind: 'received_ach',
        sourceId: null,
        party: 'Sample',
        description: null,
        createdAt: noon,
      },
    ])
    expect(rows.accounts).toEqual([
      { account: account(1, { balance: 380, seq: 4, postedAt: noon }), expectedSeq: 3 },
      { account: account(2, { balance: 125, seq: 10, postedAt: noon }), expectedSeq: 9 },
    ])
  })

  test('shows each command the changes of those before it', () => {
    const seen: unknown[] = []
    const look = command((books) => {
      const { balance, seq } = books.account(1) ?? account(0)
      seen.push([balance, seq])
      return moved(books, 1, -1, 10)
    })
    const decided = decideAll(state([account(1, { balance: 100 })]), [look, look, look])
    expect(seen).toEqual([
      [100, 0],
      [90, 1],
      [80, 2],
    ])
    expect(decided.rows.transfers.map(({ debitSeq, debitBalance }) => [debitSeq, debitBalance])).toEqual([
      [1, 90],
      [2, 80],
      [3, 70],
    ])
    // An account is written once, in its last state, with the sequence number it was read with.
    expect(decided.rows.accounts.map(({ account: { id, seq }, expectedSeq }) => [id, seq, expectedSeq])).toEqual([
      [-1, 3, 0],
      [1, 3, 0],
    ])
  })

  test('answers outcomes in the order of the commands', () => {
    const { outcomes } = decideAll(state([]), [command(() => 'a'), command(() => 'b'), command(() => 'c')])
    expect(outcomes.map((outcome) => 'answer' in outcome && outcome.answer.body)).toEqual(['"a"', '"b"', '"c"'])
  })

  test('does not change its input', () => {
    const given = state([account(1, { balance: 100 })])
    const before = structuredClone(given)
    decideAll(given, [move(1, -1, 10)])
    expect(given).toEqual(before)
  })

  test('does not write an account that did not change', () => {
    const { rows } = decideAll(state([account(1), account(2)]), [move(-1, 2, 1)])
    expect(rows.accounts.map(({ account: { id } }) => id)).toEqual([-1, 2])
  })
})

describe('a refused command', () => {
  const note: Note = { id: 55, text: 'first', version: 1 }
  const told = (id: string) => ({ type: 'payment.created' as const, id, version: 1, data: { id } })
  function doEverything(books: Books): void {
    moved(books, 1, -1, 30)
    books.events.push(told('56'))
    books.of(notes).insert({ ...note, id: 56 })
    books.of(notes).update({ ...note, text: 'second' })
  }
  const ways: [how: string, poisoned: Command<never>, refusal: string][] = [
    [
      'throws a Problem after it has moved money',
      command((books) => {
        doEverything(books)
        throw new Problem('insufficient_funds')
      }),
      'insufficient_funds',
    ],
    [
      'throws a bug after it has moved money',
      command((books) => {
        doEverything(books)
        throw new TypeError('a bug')
      }),
      'a bug',
    ],
    [
      'cannot be rendered',
      command(doEverything, () => {
        throw new Error('no words')
      }),
      'no words',
    ],
    [
      'passes the limit with its second transfer',
      command((books) => {
        doEverything(books)
        moved(books, -1, 3, 1)
      }),
      'balance_limit',
    ],
    [
      'moves between organisations',
      command((books) => {
        doEverything(books)
        moved(books, 1, 4, 1)
      }),
      'a transfer stays within one organisation',
    ],
    [
      'names an account that was not read',
      command((books) => {
        doEverything(books)
        moved(books, 99, 98, 1)
      }),
      'account 99 was not read under lock',
    ],
  ]
  const given = state(
    [account(1, { balance: 100 }), account(3, { balance: MAX_CENTS }), account(4, { organisationId: 2 })],
    { records: new Map([[notes as AnyKind, [note]]]) },
  )

  test.each(ways)('that %s leaves nothing behind', (_how, poisoned, refusal) => {
    const decided = decideAll(given, [poisoned])
    expect(refusalsOf(decided)).toEqual([refusal])
    expect(Object.values(decided.rows).flat()).toEqual([])
    expect(notesOf(decided)).toEqual({ inserted: [], updated: [] })
  })

  test.each(ways)('that %s does not touch its neighbours', (_how, poisoned, refusal) => {
    const look = command((books) => [books.account(1)?.balance, books.of(notes).get(55)?.text, books.of(notes).get(56)])
    const decided = decideAll(given, [move(1, -1, 10), poisoned, look, move(1, -1, 5)])
    expect(refusalsOf(decided)).toEqual(['done', refusal, 'done', 'done'])
    const [, , third] = decided.outcomes
    expect(third && 'answer' in third && third.answer.body).toBe('[90,"first",null]')
    expect(decided.rows.answers).toHaveLength(3)
    expect(decided.rows.transfers.map(({ debitSeq, debitBalance }) => [debitSeq, debitBalance])).toEqual([
      [1, 90],
      [2, 85],
    ])
    expect(notesOf(decided)).toEqual({ inserted: [], updated: [] })
  })

  test.each(ways)('that %s has its own events removed, and no others', (_how, poisoned) => {
    const tell = (id: string) =>
      command(
        (books) => books.events.push(told(id)),
        () => '',
      )
    const { rows } = decideAll(given, [tell('1'), poisoned, tell('2')])
    expect(rows.events.map(({ event }) => event.id)).toEqual(['1', '2'])
    expect(rows.events.map(({ origin }) => origin)).toEqual(
      Array(2).fill({ organisationId: 1, apiKeyId: 1, requestId: 'request', idempotencyKey: null }),
    )
  })

  test('an event keeps the JSON it was emitted with, or has that of the answer that shows the same record', () => {
    const shown = { id: '1' }
    const tell = (draft: EventDraft, data?: unknown) =>
      command((books) => {
        books.events.push(draft)
        return data
      })
    const written = { type: 'transaction.created', id: '2', version: 1, json: '{"id": "2"}' } as const
    const { rows } = decideAll(given, [
      tell({ ...told('1'), data: shown }, shown),
      tell({ ...written }),
      tell({ ...told('3') }, shown),
    ])
    expect(rows.events.map(({ event }) => event.json)).toEqual(['{"id":"1"}', '{"id": "2"}', undefined])
  })

  test('that made a record does not show it to the next command, while a successful one does', () => {
    const make = command(
      (books) => books.of(notes).insert({ ...note, id: 57 }),
      () => '',
    )
    const look = command((books) => [books.of(notes).get(56)?.id, books.of(notes).get(57)?.id])
    const poison = ways[0]?.[1] ?? make
    const [, , seen] = decideAll(given, [make, poison, look]).outcomes
    expect(seen && 'answer' in seen && seen.answer.body).toBe('[null,57]')
  })

  test('sees a record as the command before it changed it', () => {
    const giveBack = command(
      (books) => {
        const current = books.of(notes).get(55)
        if (current?.text !== 'first') throw new Problem('payment_not_returnable')
        books.of(notes).update({ ...current, text: 'second' })
      },
      () => '',
    )
    const decided = decideAll(given, [giveBack, giveBack])
    expect(refusalsOf(decided)).toEqual(['done', 'payment_not_returnable'])
    expect(notesOf(decided).updated).toEqual([{ id: 55, text: 'second', version: 2 }])
  })
})

describe('the limit of a balance', () => {
  const cases: [what: string, holder: Partial<LedgerAccount>, from: number, to: number, amount: number, out: string][] =
    [
      ['a credit up to the limit', { balance: MAX_CENTS - 10 }, -1, 1, 10, 'done'],
      ['a credit past the limit', { balance: MAX_CENTS - 10 }, -1, 1, 11, 'balance_limit'],
      ['a debit down to the limit', { balance: 10 - MAX_CENTS }, 1, -1, 10, 'done'],
      ['a debit past the limit', { balance: 10 - MAX_CENTS }, 1, -1, 11, 'balance_limit'],
      ['a debit that takes what is available to the limit', { balance: -90, hold: MAX_CENTS - 100 }, 1, -1, 10, 'done'],
      [
        'a debit that takes what is available past it',
        { balance: -90, hold: MAX_CENTS - 100 },
        1,
        -1,
        11,
        'balance_limit',
      ],
    ]
  test.each(cases)('%s', (_what, holder, from, to, amount, outcome) => {
    const decided = decideAll(state([account(1, holder)]), [move(from, to, amount)])
    expect(refusalsOf(decided)).toEqual([outcome])
  })

  test('applies to an internal account that a command names by its id', () => {
    const full = account(-2, { balance: -MAX_CENTS })
    const decided = decideAll(state([full, account(1)]), [move(-2, 1, 1), move(1, -2, 1)])
    expect(refusalsOf(decided)).toEqual(['balance_limit', 'done'])
    expect(balancesOf(decided)).toEqual({ '-2': 1 - MAX_CENTS, 1: -1 })
  })

  test.each([
    ['takes money from it', -MAX_CENTS, (books: Books) => moved(books, books.internal('ach_clearing').id, 1, 1)],
    ['brings money to it', MAX_CENTS, (books: Books) => moved(books, 1, books.internal('ach_clearing').id, 1)],
  ])('does not refuse a command that %s: the batch is asked for another account', (_what, balance, decide) => {
    const full = account(-2, { balance, seq: 7 })
    const given = { ...state([full, account(1)]), internals: new Map([[1, { ach_clearing: -2 }]]) }
    const decided = decideAll(given, [command(decide), move(-1, 1, 5)])
    expect(decided.outcomes[0]).toEqual({ full: 'ach_clearing' })
    expect(refusalsOf(decided)[1]).toBe('done')
    expect(balancesOf(decided)).toEqual({ '-1': -5, 1: 5 })
    expect(decided.rows.transfers).toHaveLength(1)
  })
})

describe('a decision that needs something', () => {
  test('answers what it lacks, and its changes are undone', () => {
    const decided = decideAll(state([account(1)]), [
      command((books) => {
        moved(books, -1, 1, 5)
        return needs({ accountIds: [3] })
      }),
      move(-1, 1, 7),
    ])
    expect(decided.outcomes[0]).toEqual({ lack: { accountIds: [3] } })
    expect(balancesOf(decided)).toEqual({ '-1': -7, 1: 7 })
    expect(decided.rows.answers).toHaveLength(1)
  })
})

describe('time', () => {
  test('is the bank time of the organisation', () => {
    const decided = decideAll(
      state([account(4, { organisationId: 2 }), account(5, { organisationId: 2 })], {
        times: new Map([
          [1, noon],
          [2, later],
        ]),
      }),
      [move(4, 5, 1), command((books) => [books.now(1), books.now(2)])],
    )
    expect(decided.rows.transfers.map(({ createdAt }) => createdAt)).toEqual([later])
    expect(decided.outcomes.map((outcome) => 'answer' in outcome && outcome.answer.body)[1]).toBe(
      JSON.stringify([noon, later]),
    )
  })

  test.each([
    ['the paying account', account(1, { postedAt: later }), account(2)],
    ['the receiving account', account(1), account(2, { postedAt: later })],
    ['both', account(1, { postedAt: later }), account(2, { postedAt: later })],
  ])('never falls behind the last posting of %s', (_which, from, to) => {
    const decided = decideAll(state([from, to]), [move(1, 2, 1)])
    expect(decided.rows.transfers.map(({ createdAt }) => createdAt)).toEqual([later])
    expect(decided.rows.accounts.map(({ account: { postedAt } }) => postedAt)).toEqual([later, later])
  })

  test('is bank time where the last posting was earlier', () => {
    const decided = decideAll(state([account(1, { postedAt: '2026-01-31T11:59:59.999Z' }), account(2)]), [
      move(1, 2, 1),
    ])
    expect(decided.rows.transfers.map(({ createdAt }) => createdAt)).toEqual([noon])
  })

  test('of one organisation does not move with the postings of another', () => {
    const decided = decideAll(state([account(1), account(4, { organisationId: 2, postedAt: later })]), [move(1, -1, 1)])
    expect(decided.rows.transfers.map(({ createdAt }) => createdAt)).toEqual([noon])
  })
})

test('a command whose share of a limit is short is not overtaken by later ones of its accounts', () => {
  const short = () => {
    throw new ShortShare()
  }
  const on = (accountIds: number[], decide: (books: Books) => unknown) => ({ ...command(decide), accountIds })
  const { outcomes, rows } = decideAll(state([account(1), account(2), account(3)]), [
    on([2], (books) => moved(books, -1, 2, 1)),
    on([1], short),
    on([1, 2], (books) => moved(books, -1, 1, 2)),
    on([2], (books) => moved(books, -1, 2, 3)),
    on([3], (books) => moved(books, -1, 3, 4)),
  ])
  expect(outcomes.map((outcome) => Object.keys(outcome))).toEqual([
    ['answer'],
    ['short'],
    ['short'],
    ['short'],
    ['answer'],
  ])
  expect(rows.transfers.map(({ amount }) => amount)).toEqual([1, 4])
})

describe('commands of a group', () => {
  const [one, other] = [Symbol('one'), Symbol('other')]
  const on = (group: symbol | undefined, accountIds: number[], decide: (books: Books) => unknown) => ({
    ...command(decide),
    group,
    accountIds,
  })
  const pay = (group: symbol | undefined, accountIds: number[], amount: number) =>
    on(group, accountIds, (books) => moved(books, -1, accountIds[0] as number, amount))
  const ask = (group: symbol, accountIds: number[], question: string) => on(group, accountIds, () => needs(question))
  const keysOf = ({ outcomes }: ReturnType<typeof decideAll>) => outcomes.map((outcome) => Object.keys(outcome)[0])
  const books = () => state([account(1), account(2), account(3)])

  test('do not overtake one of the group that lacks something, on any account in common', () => {
    const decided = decideAll(books(), [
      pay(one, [1], 1),
      ask(one, [1], 'first'),
      pay(one, [1, 2], 2),
      pay(one, [2], 3),
      pay(one, [3], 4),
      pay(other, [1], 5),
      pay(undefined, [1], 6),
    ])
    expect(keysOf(decided)).toEqual(['answer', 'lack', 'behind', 'behind', 'answer', 'answer', 'answer'])
    expect(decided.rows.transfers.map(({ amount }) => amount)).toEqual([1, 4, 5, 6])
    expect(decided.rows.answers).toHaveLength(4)
  })

  test('are asked for what they lack together, and change nothing meanwhile', () => {
    const spend = on(one, [1], (each) => {
      moved(each, -1, 1, 9)
      return needs('third')
    })
    const refused = on(one, [1], () => {
      throw new Problem('insufficient_funds')
    })
    const decided = decideAll(books(), [
      ask(one, [1], 'first'),
      refused,
      spend,
      pay(one, [1], 1),
      ask(one, [1], 'last'),
    ])
    expect(decided.outcomes).toEqual([
      { lack: 'first' },
      { behind: true },
      { lack: 'third' },
      { behind: true },
      { lack: 'last' },
    ])
    expect([decided.rows.transfers, decided.rows.accounts]).toEqual([[], []])
  })

  test('do not overtake one of the group that is held; those that are held too keep their order elsewhere', () => {
    const held = { held: ['account 2'] }
    const decided = decideAll(
      books(),
      [pay(one, [1, 2], 1), pay(one, [1, 2], 2), pay(one, [1], 3), pay(one, [1, 2], 4), pay(other, [1], 5)],
      [held, held, undefined, held],
    )
    expect(keysOf(decided)).toEqual(['held', 'held', 'behind', 'behind', 'answer'])
  })

  test('wait with a command whose internal account is full', () => {
    const full = state([account(1), account(2), account(-1, { balance: Number.MAX_SAFE_INTEGER })])
    const decided = decideAll(full, [
      on(one, [1], (each) => moved(each, 1, -1, 1)),
      on(one, [1, 2], (each) => moved(each, 1, 2, 1)),
      on(one, [2], (each) => moved(each, 1, 2, 1)),
    ])
    expect(keysOf(decided)).toEqual(['full', 'full', 'full'])
  })
})
