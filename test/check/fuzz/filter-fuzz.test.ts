import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { type Choices, choicesOfTest } from '../../support/random.ts'
import { type FilterTexts, insertReward, listRecords, type RecordList } from '../../support/rewards.ts'

const rounds = process.env.SOAK ? 50_000 : 2_000

/** Statements that were composed for a request, and how many values went with each. */
const composed: { text: string; values: number }[] = []
const around = (database: Database): Database => ({
  ...database,
  query: (text, values, use) => {
    if (use === 'once') composed.push({ text, values: values?.length ?? 0 })
    return database.query(text, values, use)
  },
})

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ around })
  for (let at = 0; at < 10; at++) await insertReward(bank)
})
afterAll(() => bank.close())

const codes = new Set(
  `syntax too_long too_deep too_many_predicates too_many_columns too_many_values too_many_order_terms unknown_column
   column_out_of_range value_out_of_range placeholder_gap unused_value value_arity value_type null_comparison
   operator_type bad_pattern duplicate_order_column`.split(/\s+/),
)

test('a mangled clause gets an answer or a 400 with a place, and leaves no text in the SQL', async () => {
  const choices = choicesOfTest()
  const seen = new Map<string, number>()
  for (let round = 0; round < rounds; round += 20) {
    composed.length = 0
    const requests = Array.from({ length: 20 }, () => {
      const { list, texts } = choices.pick(...templates)
      return { list, texts: mangled(texts, choices) }
    })
    const replies = await Promise.all(requests.map(({ list, texts }) => listRecords(bank, list, texts)))
    for (const [at, { status, json, text }] of replies.entries()) {
      const what = `${JSON.stringify(requests[at])} answered ${status}: ${text.slice(0, 500)}`
      const code = status === 200 ? 'answered' : json.errors?.[0]?.code
      seen.set(code, (seen.get(code) ?? 0) + 1)
      if (status === 200) expect(Array.isArray(json.data), what).toBe(true)
      else {
        expect([status, json.code, json.errors?.length], what).toEqual([400, 'invalid_request', 1])
        expect(codes.has(code), what).toBe(true)
        expect(json.errors[0].message, what).toMatch(new RegExp(`^${json.errors[0].parameter}, character [1-9]\\d*: `))
      }
    }
    for (const { text, values } of composed) {
      expect(strangers(text), text).toEqual([])
      const numbers = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      expect(
        [...numbers].sort((a, b) => a - b),
        text,
      ).toEqual(Array.from({ length: values }, (_, place) => place + 1))
    }
  }
  // A test that only ever sees one kind of answer tests little.
  expect(seen.get('answered'), JSON.stringify([...seen])).toBeGreaterThan(rounds / 50)
  expect(seen.size, JSON.stringify([...seen])).toBeGreaterThan(10)
})

test('the fuzz test can fail: a statement with a text of its own is seen', () => {
  expect(strangers('select id as "id" from reward where id = $1::bigint')).toEqual([])
  for (const text of [
    `select 'x'`,
    'id = 5',
    'drop table reward',
    'id = $1;',
    'id -- x',
    'pg_sleep($1)',
    '"password"',
  ]) {
    expect(strangers(text), text).not.toEqual([])
  }
})

const known = new Set(
  `select as from where and or not order by limit offset asc desc nulls first last true is null any all like ilike
   between collate "default" bigint boolean timestamptz text organisation_id partner_user partner_user_card
   rewardable_transaction reward reward_payment id "id" user_id "userId" is_removed "isRemoved" created_at "createdAt"
   updated_at "updatedAt" partner_user_id "partnerUserId" bank_card_id "bankCardId" partner_user_card_id
   "partnerUserCardId" bank_transaction_id "bankTransactionId" reward_id "rewardId" payment_id "paymentId"
   rewardable_transaction_id "rewardableTransactionId" offer_id "offerId" merchant_name "merchantName" amount "amount"
   user_amount "userAmount" state "state"`.split(/\s+/),
)

/** The parts of a statement that are no word of the service itself, no parameter and no operator. */
function strangers(text: string): string[] {
  return text
    .split(/(\s+|\$[1-9]\d*|::|\[\]|<>|<=|>=|[=<>(),])/)
    .filter((token) => token !== '' && !known.has(token) && !/^(\s+|\$[1-9]\d*|::|\[\]|<>|<=|>=|[=<>(),])$/.test(token))
}

const templates: { list: RecordList; texts: FilterTexts }[] = [
  {
    list: 'partner-users',
    texts: {
      whereClause: '$C1 IN ( $V1 )',
      columnNames: 'userId',
      values: '[1001, 1002, 1003]',
      orderByClause: '$C1 DESC',
    },
  },
  {
    list: 'partner-users',
    texts: {
      whereClause: 'NOT ($C1 = $V1 OR $C2 BETWEEN $V2 AND $V3) AND $C3 IS NOT NULL',
      columnNames: 'isRemoved, createdAt, id',
      values: '[true, 2023-01-01, "2026-12-31T23:59:59.999Z"]',
      orderByClause: '$C2 ASC NULLS FIRST, $C3',
    },
  },
  {
    list: 'rewardable-transactions',
    texts: {
      whereClause: '$C1 LIKE $V1',
      columnNames: '["bankTransactionId"]',
      values: '["purchase\\\\_%"]',
      orderByClause: '$C1',
    },
  },
  {
    list: 'rewards',
    texts: {
      whereClause: '$C1 IN ($V1) AND $C2 >= $V2 AND $C3 NOT ILIKE $V3',
      columnNames: 'state,userAmount,merchantName',
      values: "[PENDING,PAID],[10],['it''s %']",
      orderByClause: '$C2 DESC NULLS LAST',
    },
  },
  {
    list: 'reward-payments',
    texts: { whereClause: '$C1 NOT IN ($V1,$V2)', columnNames: 'paymentId', values: '[[1,2],3]', orderByClause: '$C1' },
  },
  {
    list: 'partner-user-cards',
    texts: { whereClause: '$C1 <> $V1 OR $C1 = $V1', columnNames: 'bankCardId', values: '[0039523]' },
  },
  // Refused as they are, for reasons to which few changes lead.
  { list: 'rewards', texts: { whereClause: '$C1 LIKE $V1', columnNames: 'userAmount', values: '["1%"]' } },
  {
    list: 'rewards',
    texts: { whereClause: '$C1 = $V1', columnNames: 'state', values: '[null]', orderByClause: '$C1' },
  },
  {
    list: 'rewards',
    texts: { whereClause: '$C1 = $V2', columnNames: 'id', values: '[1],[2]', orderByClause: '$C1,$C1' },
  },
]

const fragments = [
  ...['$C1', '$C2', '$C9', '$C101', '$C0', '$V1', '$V2', '$V9', '$V101', '$V', '$', '$1', '$C1x', '＄C1'],
  ...[' AND ', ' OR ', 'NOT ', ' IN (', ' LIKE ', ' ILIKE ', ' BETWEEN ', ' IS NULL', ' NULLS LAST', ' DESC', 'and'],
  ...[
    '(',
    ')',
    '((((((((((((((((((((((',
    '[',
    ']',
    '[[',
    '[]',
    ',',
    ',,',
    '=',
    '!=',
    '<>',
    '<',
    '>=',
    '==',
    ' ',
    '   ',
  ],
  ...['"', "'", "''", '\\', '\\\\', '"\\u0000"', '"\\ud800"', "'x'", '"x"', '`', ';', '--', '/*', '*/', '#', '|', '&'],
  ...['null', 'true', 'false', '0', '-1', '1.5', '1e9', '9007199254740993', '2023-02-30', '2023-01-01', 'NaN', 'id'],
  ...['; drop table reward; --', "' or '1'='1", 'UNION SELECT password FROM users', 'pg_sleep(10)', '::text', "E'\\x'"],
  ...['\u0000', '\n', '\t', '\u007f', '\u0085', '\u00a0', '\u2028', '\u202e', 'é', '😀', '\ufeff', '％', 'İ', 'ß'],
  ...[
    'constructor',
    '__proto__',
    'toString',
    'organisationId',
    'version',
    'createdAt',
    'x'.repeat(501),
    '%'.repeat(201),
  ],
]

/** The texts with up to five changes, in one parameter or several. */
function mangled(texts: FilterTexts, { pick, below }: Choices): FilterTexts {
  const copy: Record<string, string> = { ...texts }
  for (let changes = below(6); changes > 0; changes--) {
    const name = pick('whereClause', 'columnNames', 'values', 'orderByClause')
    const other = pick('whereClause', 'columnNames', 'values', 'orderByClause')
    const text = copy[name] ?? ''
    const [from = 0, to = 0] = [below(text.length + 1), below(text.length + 1)].sort((a, b) => a - b)
    const [before, middle, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
    const changed = pick(
      () => before + pick(...fragments) + text.slice(from),
      () => before + pick(...fragments) + text.slice(from),
      () => before + pick(...fragments) + after,
      () => before + text.slice(from + 1),
      () => before + after,
      () => before + middle + middle + after,
      () => before + middle.repeat(1 + below(60)) + after,
      () => `${text}${pick(' AND ', ' OR ', ',')}${text}`,
      () => [...text].map((letter) => pick(letter, letter, letter.toUpperCase(), letter.toLowerCase())).join(''),
      () => before,
      () => copy[other] ?? '',
      () => String.fromCodePoint(below(0x300)) + text,
    )()
    copy[name] = changed.slice(0, 20_000)
    if (below(20) === 0) delete copy[name]
  }
  return copy
}
