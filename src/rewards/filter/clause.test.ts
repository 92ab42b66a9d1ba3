import { describe, expect, test } from 'vitest'
import { Problem } from '../../base/problem.ts'
import { PartnerUserCard } from '../records/partner-user-card.ts'
import { type Clause, type ClauseTexts, readClause } from './clause.ts'
import { columnsOf } from './columns.ts'
import type { ClauseCode, ClauseParameter } from './reader.ts'

/** One column of every type: integers, a string, a boolean, and times, one of them nullable. */
const columns = columnsOf(PartnerUserCard)
const id = { name: 'id', type: 'integer' }
const bankCardId = { name: 'bankCardId', type: 'string' }
const isRemoved = { name: 'isRemoved', type: 'boolean' }
const createdAt = { name: 'createdAt', type: 'timestamp' }
const byId = { column: id, descending: false, nullsFirst: false }

const read = (texts: ClauseTexts) => readClause(columns, texts)
const where = (whereClause: string, columnNames?: string, values?: string) =>
  read({ whereClause, columnNames, values }).where
const order = (orderByClause: string, columnNames = 'id') => read({ orderByClause, columnNames }).order

/** A refusal as `code parameter:position`. */
function refusal(texts: ClauseTexts): string {
  let clause: Clause
  try {
    clause = read(texts)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const [fault, ...more] = error.errors ?? []
    expect([error.code, more, fault?.message]).toEqual(['invalid_request', [], error.message])
    const place = /^(\w+), character (\d+): /.exec(error.message)
    expect(place?.[1], error.message).toBe(fault?.parameter)
    return `${fault?.code} ${fault?.parameter}:${place?.[2]}`
  }
  return `accepted ${JSON.stringify(clause)}`
}

function refused(texts: ClauseTexts, code: ClauseCode, parameter: ClauseParameter, place: number): void {
  expect(refusal(texts), JSON.stringify(texts).slice(0, 300)).toBe(`${code} ${parameter}:${place}`)
}

const one = (value: unknown) => ({ kind: 'compare', column: id, operator: '=', value })

describe('The columns of a list', () => {
  test('are the fields of its records, with their types', () => {
    expect([...columns]).toEqual([
      ['id', 'integer'],
      ['partnerUserId', 'integer'],
      ['bankCardId', 'string'],
      ['isRemoved', 'boolean'],
      ['createdAt', 'timestamp'],
      ['updatedAt', 'timestamp'],
    ])
  })
})

describe('A condition of the filter language', () => {
  test('matches every record if it is absent or blank', () => {
    for (const texts of [{}, { whereClause: '', columnNames: ' ', values: '   ', orderByClause: '' }]) {
      expect(read(texts)).toEqual({ where: undefined, order: [byId] })
    }
  })

  test('compares a column with a value', () => {
    for (const operator of ['=', '<>', '<', '<=', '>', '>=']) {
      expect(where(`$C1 ${operator} $V1`, 'id', '[5]')).toEqual({ kind: 'compare', column: id, operator, value: 5 })
      expect(where(`$C1${operator}$V1`, 'id', '[5]')).toEqual({ kind: 'compare', column: id, operator, value: 5 })
    }
    expect(where('$C1 != $V1', 'id', '[5]')).toMatchObject({ operator: '<>' })
  })

  test('supports IN, LIKE, ILIKE, BETWEEN and their negations', () => {
    for (const negated of [false, true]) {
      const not = negated ? 'NOT ' : ''
      expect(where(`$C1 ${not}IN ($V1, $V2)`, 'id', '[1, 2]')).toEqual({
        kind: 'in',
        column: id,
        negated,
        values: [1, 2],
      })
      for (const [word, anyCase] of [
        ['LIKE', false],
        ['ILIKE', true],
      ]) {
        const like = { kind: 'like', column: bankCardId, negated, anyCase, pattern: 'a%' }
        expect(where(`$C1 ${not}${word} $V1`, 'bankCardId', '["a%"]')).toEqual(like)
      }
      const between = { kind: 'between', column: id, negated, low: 1, high: 9 }
      expect(where(`$C1 ${not}BETWEEN $V1 AND $V2`, 'id', '[1, 9]')).toEqual(between)
      expect(where(`$C1 IS ${not}NULL`, 'id')).toEqual({ kind: 'null', column: id, negated })
    }
  })

  test('accepts keywords in any letter case and any amount of white space', () => {
    const expected = where('$C1 IN ($V1) AND NOT $C1 IS NULL', 'id', '[1]')
    expect(where('$C1 in($V1)aNd nOt $C1 Is nulL', 'id', '[1]')).toEqual(expected)
    expect(where('  $C1IN  (  $V1  )  AND  NOT  $C1IS  NULL  ', ' [ "id" ] ', ' [ 1 ] ')).toEqual(expected)
    expect(where('($C1=$V1)AND($C1=$V1)', 'id', '[1]')).toEqual({ kind: 'and', parts: [one(1), one(1)] })
  })

  test('binds NOT before AND before OR, except in parentheses', () => {
    const parts = (text: string) => where(text, 'id', '[1, 2, 3]')
    const [first, second, third] = [one(1), one(2), one(3)]
    expect(parts('$C1 = $V1 OR $C1 = $V2 AND $C1 = $V3')).toEqual({
      kind: 'or',
      parts: [first, { kind: 'and', parts: [second, third] }],
    })
    expect(parts('NOT $C1 = $V1 AND $C1 = $V2 OR $C1 = $V3')).toEqual({
      kind: 'or',
      parts: [{ kind: 'and', parts: [{ kind: 'not', part: first }, second] }, third],
    })
    expect(parts('NOT ($C1 = $V1 AND ($C1 = $V2 OR $C1 = $V3))')).toEqual({
      kind: 'not',
      part: { kind: 'and', parts: [first, { kind: 'or', parts: [second, third] }] },
    })
    expect(parts('$C1 BETWEEN $V1 AND $V2 AND $C1 = $V3')).toMatchObject({ kind: 'and', parts: [{ low: 1 }, third] })
  })

  test('can use a column and a value twice and leave columns unused', () => {
    expect(where('$C1 = $V1 OR $C3 = $V1', 'id, isRemoved, partnerUserId', '[5]')).toEqual({
      kind: 'or',
      parts: [one(5), { ...one(5), column: { name: 'partnerUserId', type: 'integer' } }],
    })
    expect(read({ columnNames: 'id,isRemoved' }).order).toEqual([byId])
  })

  test('with a syntax error is refused with its position', () => {
    const places: [text: string, place: number][] = [
      ['1=1', 1],
      ['id = $V1', 1],
      ['$V1 = $C1', 1],
      ['$c1 = $V1', 1],
      ['$C0 = $V1', 1],
      ['$C01 = $V1', 1],
      ['$C1000 = $V1', 6],
      ['$C = $V1', 1],
      ['$C1', 4],
      ['$C1 =', 6],
      ['$C1 = $v1', 7],
      ['$C1 = $C1', 7],
      ['$C1 = 5', 7],
      ["$C1 = 'a'", 7],
      ['$C1 = NULL', 7],
      ['$C1 == $V1', 6],
      ['$C1 < = $V1', 7],
      ['$C1 =! $V1', 6],
      ['$C1 EQUALS $V1', 5],
      ['$C1x = $V1', 4],
      ['$C1 IN $V1', 8],
      ['$C1 IN ()', 9],
      ['$C1 IN ($V1', 12],
      ['$C1 IN ($V1,)', 13],
      ['$C1 IN ($V1 $V1)', 13],
      ['$C1 NOT = $V1', 9],
      ['$C1 NOT NULL', 9],
      ['$C1 NOT NOT IN ($V1)', 9],
      ['$C1 IS $V1', 8],
      ['$C1 IS NOT $V1', 12],
      ['$C1 BETWEEN $V1', 16],
      ['$C1 BETWEEN $V1 OR $V1', 17],
      ['$C1 BETWEEN $V1, $V1', 16],
      ['$C1 SIMILAR TO $V1', 5],
      ['($C1 = $V1', 11],
      ['$C1 = $V1)', 10],
      ['()', 2],
      ['$C1 = $V1 AND', 14],
      ['$C1 = $V1 OR OR $C1 = $V1', 14],
      ['$C1 = $V1 ANDNOT $C1 = $V1', 11],
      ['NOT', 4],
      ['AND', 1],
      ['$C1 = $V1 $C1 = $V1', 11],
      ['$C1 = $V1; drop table account', 10],
      ['$C1 = $V1 -- all', 11],
      ['$C1 = $V1 /* all */', 11],
      ['$C1 = $V1 UNION SELECT $V1', 11],
      ['$C1 = lower($V1)', 7],
      ['$C1 = "id"', 7],
      ['$C1\u00a0= $V1', 4],
      ['$C1 ＝ $V1', 5],
      ['$C1 = ＄V1', 7],
      ['$C1 = $V1 😀', 11],
      ['😀', 1],
    ]
    for (const [text, place] of places) {
      refused({ whereClause: text, columnNames: 'id', values: '[1]' }, 'syntax', 'whereClause', place)
    }
  })

  test('whose placeholders a shell has expanded is refused with a hint', () => {
    const message = (texts: ClauseTexts) => {
      try {
        return String(read(texts))
      } catch (error) {
        return String(error)
      }
    }
    for (const texts of [{ whereClause: ' IN ( )' }, { whereClause: ' = ' }, { orderByClause: ' DESC' }]) {
      expect(message({ ...texts, columnNames: 'id' })).toContain('a shell expands $C1 between double quotes')
    }
    expect(message({ whereClause: '$C1 IN', columnNames: 'id' })).not.toContain('shell')
    expect(message({ columnNames: '=' })).not.toContain('shell')
  })
})

describe('A column of the filter language', () => {
  test('is written bare or in double quotes, in a list with or without brackets', () => {
    for (const columnNames of [
      'id,isRemoved',
      ' id , isRemoved ',
      '"id","isRemoved"',
      '[id, "isRemoved"]',
      '["id",isRemoved]',
    ]) {
      expect(where('$C1 IS NULL OR $C2 IS NULL', columnNames)).toMatchObject({
        parts: [{ column: id }, { column: isRemoved }],
      })
    }
  })

  test('with a malformed name is refused with its position', () => {
    const places: [text: string, place: number][] = [
      ['[]', 2],
      [',', 1],
      ['id,', 4],
      ['id id', 4],
      ['[id', 4],
      ['id]', 3],
      ['[id] ,', 6],
      ['[[id]]', 2],
      ['1d', 1],
      ['_id', 1],
      ['user_id', 5],
      ['id"', 3],
      ['"id', 1],
      ['" id"', 1],
      ["'id'", 1],
      ['id" = 1 OR "1', 3],
      ['id;', 3],
      ['ïd', 1],
      ['$C1', 1],
      ['*', 1],
    ]
    for (const [columnNames, place] of places) refused({ columnNames }, 'syntax', 'columnNames', place)
  })

  test('must be a field of the records, in its exact spelling', () => {
    const names = [
      'passwordHash',
      'ID',
      'bankcardid',
      'userId',
      'constructor',
      'toString',
      'hasOwnProperty',
      'organisationId',
    ]
    for (const name of names) refused({ columnNames: `id, ${name}` }, 'unknown_column', 'columnNames', 5)
    refused({ columnNames: '"id","__proto__"' }, 'syntax', 'columnNames', 6)
  })

  test('must exist for every placeholder', () => {
    const values = '[1]'
    refused({ whereClause: '$C1 = $V1', values }, 'column_out_of_range', 'whereClause', 1)
    refused(
      { whereClause: '$C1 = $V1 OR $C2 = $V1', columnNames: 'id', values },
      'column_out_of_range',
      'whereClause',
      14,
    )
    refused({ orderByClause: '$C1, $C2', columnNames: 'id' }, 'column_out_of_range', 'orderByClause', 6)
    refused({ whereClause: '$C1 = $V1' }, 'column_out_of_range', 'whereClause', 1)
  })
})

describe('Values of the filter language', () => {
  const both = '$C1 = $V1 OR $C1 = $V2'

  test('are assigned one group to each placeholder where there are several groups', () => {
    expect(where('$C1 IN ($V1) AND $C2 = $V2', 'id,isRemoved', '[1,2],[true]')).toMatchObject({
      parts: [{ values: [1, 2] }, { value: true }],
    })
    expect(where('$C1 IN ($V1) OR $C1 IN ($V2)', 'id', '[],[1]')).toMatchObject({
      parts: [{ values: [] }, { values: [1] }],
    })
  })

  test('are all assigned to $V1 where it is the only placeholder', () => {
    expect(where('$C1 IN ($V1)', 'id', '[1,2,3]')).toMatchObject({ values: [1, 2, 3] })
    expect(where('$C1 IN ($V1)', 'id', '[[1,2],3]')).toMatchObject({ values: [1, 2, 3] })
    expect(where('$C1 IN ($V1)', 'id', '[]')).toMatchObject({ values: [] })
    expect(where('$C1 IN ($V1, $V1)', 'id', '[1]')).toMatchObject({ values: [1, 1] })
    expect(where('$C1 = $V1', 'id', '[[1]]')).toMatchObject({ value: 1 })
  })

  test('are assigned one element to each placeholder where there is one group', () => {
    expect(where('$C1 IN ($V1, $V2)', 'id', '[[1,2],3]')).toMatchObject({ values: [1, 2, 3] })
    expect(where(both, 'id', '[[1],2]')).toMatchObject({ parts: [{ value: 1 }, { value: 2 }] })
    expect(where('$C1 IN ($V2) OR $C1 = $V1', 'id', '[1,[]]')).toMatchObject({ parts: [{ values: [] }, { value: 1 }] })
  })

  test('can be absent or an empty list where no placeholder is used', () => {
    for (const values of [undefined, '', ' [ ] '])
      expect(where('$C1 IS NULL', 'id', values)).toMatchObject({ column: id })
    refused({ values: '[1]' }, 'unused_value', 'values', 1)
    refused({ values: '[[]]' }, 'unused_value', 'values', 1)
    refused({ values: '[],[]' }, 'unused_value', 'values', 1)
    refused({ whereClause: '$C1 IS NULL', columnNames: 'id', values: '[null]' }, 'unused_value', 'values', 1)
  })

  test('must exist for every placeholder', () => {
    const columnNames = 'id'
    const check = (whereClause: string, values: string | undefined, ...rest: [ClauseCode, ClauseParameter, number]) =>
      refused({ whereClause, columnNames, values }, ...rest)
    check('$C1 = $V1', undefined, 'value_out_of_range', 'whereClause', 7)
    check(both, undefined, 'value_out_of_range', 'whereClause', 7)
    check(both, '[]', 'value_out_of_range', 'whereClause', 7)
    check(both, '[1]', 'value_out_of_range', 'whereClause', 20)
    check('$C1 IN ($V1,$V2,$V3)', '[1],[2]', 'value_out_of_range', 'whereClause', 17)
    check(both, '[1,2,3]', 'unused_value', 'values', 6)
    check(both, '[1],[2],[3]', 'unused_value', 'values', 9)
    check('$C1 = $V1', '[1],[2]', 'unused_value', 'values', 5)
    check('$C1 = $V2', '[1,2]', 'placeholder_gap', 'whereClause', 7)
    check('$C1 IN ($V1,$V3)', '[1,2,3]', 'placeholder_gap', 'whereClause', 13)
  })

  test('are single values outside IN', () => {
    const check = (whereClause: string, values: string, place: number) =>
      refused({ whereClause, columnNames: 'bankCardId', values }, 'value_arity', 'values', place)
    for (const whereClause of ['$C1 = $V1', '$C1 LIKE $V1', '$C1 ILIKE $V1']) {
      check(whereClause, '[1,2]', 1)
      check(whereClause, '[]', 1)
      check(whereClause, '[[]]', 2)
      check(whereClause, '[[1,2]]', 2)
      check(whereClause, '[[1],[]]', 1)
    }
    check('$C1 BETWEEN $V1 AND $V2', '[1,[2,3]]', 4)
    check('$C1 BETWEEN $V1 AND $V2', '[],[1]', 1)
  })

  test('are written as JSON strings, in single quotes, or bare', () => {
    const text = (values: string) => where('$C1 = $V1', 'bankCardId', values)
    const texts: [written: string, meant: string][] = [
      ['0039523', '0039523'],
      ['"0039523"', '0039523'],
      ['1.50', '1.50'],
      ['a_b.c:d+e-f', 'a_b.c:d+e-f'],
      ['true', 'true'],
      ['"null"', 'null'],
      ["'null'", 'null'],
      ['""', ''],
      ["''", ''],
      ["'it''s'", "it's"],
      ["''''", "'"],
      ["'a\"b\\n'", 'a"b\\n'],
      ['"it\'s"', "it's"],
      ['"a\\"b\\\\\\/\\u00e9"', 'a"b\\/é'],
      ['"\\ud83d\\ude00"', '😀'],
      ['"[1, 2]"', '[1, 2]'],
      ["'; drop table account --'", '; drop table account --'],
      ['"😀 é"', '😀 é'],
    ]
    for (const [written, meant] of texts) expect(text(`[${written}]`), written).toMatchObject({ value: meant })
  })

  test('with a syntax error are refused with their position', () => {
    const places: [values: string, place: number][] = [
      ['1', 1],
      ['(1)', 1],
      ['[1', 3],
      ['[1,2', 5],
      ['[1,]', 4],
      ['[,1]', 2],
      ['[1 2]', 4],
      ['[1]]', 4],
      ['[1],', 5],
      ['[1] [2]', 5],
      ['[1],2', 5],
      ['[- 1]', 4],
      ['["a]', 2],
      ["['a]", 2],
      ["['a'']", 5],
      ['["\\x"]', 2],
      ['["\\u12"]', 2],
      ['["\\u0000"]', 2],
      ['["\\n"]', 2],
      ['["\\ud800"]', 2],
      ['[1/2]', 3],
      ['[a b]', 4],
      ['[é]', 2],
      ['[$V1]', 2],
      ['{"a":1}', 1],
      ['[{}]', 2],
      ['["😀", ?]', 7],
    ]
    for (const [values, place] of places) {
      refused({ whereClause: '$C1 IN ($V1)', columnNames: 'bankCardId', values }, 'syntax', 'values', place)
    }
  })

  test('of integer columns are safe integers', () => {
    const integer = (values: string) => where('$C1 = $V1', 'id', values)
    for (const [written, meant] of [
      ['5', 5],
      ['"5"', 5],
      ["'5'", 5],
      ['-5', -5],
      ['007', 7],
      ['9007199254740991', 9_007_199_254_740_991],
      ['-9007199254740991', -9_007_199_254_740_991],
    ] as const) {
      expect(integer(`[${written}]`), written).toMatchObject({ value: meant })
    }
    const others = ['1.5', '1.0', '1e3', '0x10', '+1', '"1 "', '""', '9007199254740992', '-9007199254740992']
    for (const other of [...others, 'true', 'abc', '"1 OR 1=1"', '--1', '1-', '"٣"', '2023-02-14', 'constructor']) {
      refused({ whereClause: '$C1 = $V1', columnNames: 'id', values: `[${other}]` }, 'value_type', 'values', 2)
    }
  })

  test('of boolean columns are true and false', () => {
    const boolean = (values: string) => where('$C1 = $V1', 'isRemoved', values)
    for (const written of ['true', 'TRUE', '"true"', "'True'"])
      expect(boolean(`[${written}]`)).toMatchObject({ value: true })
    expect(boolean('[false]')).toMatchObject({ column: isRemoved, value: false })
    for (const other of ['1', '0', 'yes', 't', '""', '"true "', 'constructor', 'toString']) {
      refused({ whereClause: '$C1 = $V1', columnNames: 'isRemoved', values: `[${other}]` }, 'value_type', 'values', 2)
    }
  })

  test('of time columns are RFC 3339 date-times or dates of the calendar', () => {
    const time = (values: string) => where('$C1 = $V1', 'createdAt', values)
    for (const [written, meant] of [
      ['2023-02-14T22:20:11.759Z', '2023-02-14T22:20:11.759Z'],
      ['"2023-02-14t22:20:11z"', '2023-02-14T22:20:11.000Z'],
      ['2023-02-14', '2023-02-14T00:00:00.000Z'],
      ['2024-02-29T23:00:00-01:30', '2024-03-01T00:30:00.000Z'],
      ["'2023-02-14T22:20:11.7591Z'", '2023-02-14T22:20:11.7595Z'],
    ] as const) {
      expect(time(`[${written}]`), written).toMatchObject({ column: createdAt, value: meant })
    }
    const others = ['2023-02-30', '2023-13-01', '2023-02-29T00:00:00Z', '2023-02-14T24:00:00Z', '2023-02-14T22:20Z']
    for (const other of [
      ...others,
      '2023-2-14',
      'now',
      'today',
      '1676413211',
      '""',
      '"2023-02-14 22:20:11Z"',
      '-infinity',
    ]) {
      refused({ whereClause: '$C1 = $V1', columnNames: 'createdAt', values: `[${other}]` }, 'value_type', 'values', 2)
    }
  })

  test('are never null', () => {
    for (const columnNames of ['id', 'bankCardId', 'isRemoved', 'updatedAt']) {
      for (const word of ['null', 'NULL', 'Null']) {
        refused({ whereClause: '$C1 = $V1', columnNames, values: `[${word}]` }, 'null_comparison', 'values', 2)
      }
    }
    refused({ whereClause: '$C1 IN ($V1)', columnNames: 'id', values: '[1,null]' }, 'null_comparison', 'values', 4)
    refused(
      { whereClause: '$C1 LIKE $V1', columnNames: 'bankCardId', values: '[null]' },
      'null_comparison',
      'values',
      2,
    )
  })

  test('must not end a pattern with the escape character', () => {
    const like = (pattern: string): ClauseTexts => ({
      whereClause: '$C1 LIKE $V1',
      columnNames: 'bankCardId',
      values: `[${JSON.stringify(pattern)}]`,
    })
    for (const pattern of ['', '%', '_', '\\%', '\\\\', 'a\\b', '\\\u2028', '\\😀', 'a\\\\\\_']) {
      expect(read(like(pattern)).where).toMatchObject({ pattern })
    }
    for (const pattern of ['\\', 'abc\\', '\\\\\\']) refused(like(pattern), 'bad_pattern', 'values', 2)
  })
})

describe('An operator of the filter language', () => {
  test('is accepted for the column types that support it', () => {
    const operators = ['= $V1', '!= $V1', '<> $V1', '< $V1', '<= $V1', '> $V1', '>= $V1', 'IN ($V1)', 'NOT IN ($V1)']
    const all = [...operators, 'IS NULL', 'IS NOT NULL', 'BETWEEN $V1 AND $V1', 'NOT BETWEEN $V1 AND $V1']
    const likes = ['LIKE $V1', 'NOT LIKE $V1', 'ILIKE $V1', 'NOT ILIKE $V1']
    const types: [column: string, value: string, accepts: (operator: string) => boolean][] = [
      ['id', '1', (operator) => !likes.includes(operator)],
      ['createdAt', '2023-02-14', (operator) => !likes.includes(operator)],
      ['bankCardId', '1', () => true],
      ['isRemoved', 'true', (operator) => /^(=|!=|<>|IN|NOT IN|IS)/.test(operator)],
    ]
    for (const [columnNames, value, accepts] of types) {
      for (const operator of [...all, ...likes]) {
        const texts = {
          whereClause: ` $C1 ${operator}`,
          columnNames,
          values: operator.includes('$V') ? `[${value}]` : '[]',
        }
        const expected = accepts(operator) ? /^accepted/ : /^operator_type whereClause:2$/
        expect(refusal(texts), `${columnNames} ${operator}`).toMatch(expected)
      }
    }
  })
})

describe('An order of the filter language', () => {
  const updatedAt = { name: 'updatedAt', type: 'timestamp' }

  test('is by id by default and ends with the id', () => {
    expect(read({}).order).toEqual([byId])
    expect(order('$C1', 'updatedAt')).toEqual([{ column: updatedAt, descending: false, nullsFirst: false }, byId])
    expect(order('$C1 DESC', 'id')).toEqual([{ column: id, descending: true, nullsFirst: true }])
    expect(order('$C2, $C1', 'id, isRemoved')).toEqual([{ ...byId, column: isRemoved }, byId])
  })

  test('sorts null as the largest value by default', () => {
    for (const [text, descending, nullsFirst] of [
      ['$C1', false, false],
      ['$C1 ASC', false, false],
      ['$C1 DESC', true, true],
      ['$C1 NULLS FIRST', false, true],
      ['$C1 asc nulls last', false, false],
      ['$C1 Desc Nulls Last', true, false],
      ['$C1DESC NULLS FIRST', true, true],
    ] as const) {
      expect(order(text, 'updatedAt')[0], text).toEqual({ column: updatedAt, descending, nullsFirst })
    }
  })

  test('that is none is refused where', () => {
    const places: [text: string, place: number][] = [
      ['id DESC', 1],
      ['DESC', 1],
      ['$V1', 1],
      [',', 1],
      ['$C1 DESC,', 10],
      ['$C1 $C1', 5],
      ['$C1 DESC ASC', 10],
      ['$C1 NULLS', 10],
      ['$C1 NULLS MIDDLE', 11],
      ['$C1 NULLS FIRST DESC', 17],
      ['$C1 DOWN', 5],
      ['($C1)', 1],
      ['$C1, (SELECT 1)', 6],
      ['$C1; DROP TABLE x', 4],
      ['$C1 + $C1', 5],
      ['1', 1],
    ]
    for (const [orderByClause, place] of places)
      refused({ orderByClause, columnNames: 'id' }, 'syntax', 'orderByClause', place)
  })

  test('names each column once, whatever its placeholder', () => {
    refused({ orderByClause: '$C1, $C1 DESC', columnNames: 'id' }, 'duplicate_order_column', 'orderByClause', 6)
    refused({ orderByClause: '$C1, $C2', columnNames: 'id, "id"' }, 'duplicate_order_column', 'orderByClause', 6)
  })
})

describe('The limits of the filter language', () => {
  const padded = (text: string, length: number) => text + ' '.repeat(length - text.length)
  const accepted = (texts: ClauseTexts) =>
    expect(refusal(texts).slice(0, 8), JSON.stringify(texts).slice(0, 200)).toBe('accepted')
  const base = { whereClause: '$C1 = $V1', columnNames: 'id', values: '[1]', orderByClause: '$C1' }

  test('bound the length of each parameter as sent', () => {
    for (const [parameter, most] of [
      ['whereClause', 2_000],
      ['orderByClause', 200],
      ['columnNames', 500],
      ['values', 16_384],
    ] as const) {
      accepted({ ...base, [parameter]: padded(base[parameter], most) })
      refused({ ...base, [parameter]: padded(base[parameter], most + 1) }, 'too_long', parameter, most + 1)
      refused({ ...base, [parameter]: '?'.repeat(most + 1) }, 'too_long', parameter, most + 1)
      refused(
        { ...base, [parameter]: '😀'.repeat(most + 1) },
        'too_long',
        parameter,
        parameter === 'values' ? 4_097 : most + 1,
      )
    }
  })

  test('refuse control characters everywhere', () => {
    for (const parameter of ['whereClause', 'columnNames', 'values', 'orderByClause'] as const) {
      for (const character of ['\u0000', '\t', '\n', '\r', '\u007f', '\u0085', '\ud800']) {
        refused(
          { ...base, [parameter]: `${base[parameter]}${character}` },
          'syntax',
          parameter,
          base[parameter].length + 1,
        )
        refused({ ...base, [parameter]: character }, 'syntax', parameter, 1)
      }
    }
    refused({ ...base, columnNames: 'bankCardId', values: '["😀\t"]' }, 'syntax', 'values', 4)
  })

  test('allow 50 predicates', () => {
    const predicates = (count: number) => Array.from({ length: count }, () => '$C1 = $V1').join(' OR ')
    accepted({ ...base, whereClause: predicates(50) })
    refused({ ...base, whereClause: predicates(51) }, 'too_many_predicates', 'whereClause', 50 * 13 + 1)
  })

  test('allow 20 levels of NOT and parentheses', () => {
    const inside = (open: string, count: number, close = '') => `${open.repeat(count)}$C1 = $V1${close.repeat(count)}`
    accepted({ ...base, whereClause: inside('NOT ', 20) })
    refused({ ...base, whereClause: inside('NOT ', 21) }, 'too_deep', 'whereClause', 81)
    accepted({ ...base, whereClause: inside('(', 20, ')') })
    refused({ ...base, whereClause: inside('(', 21, ')') }, 'too_deep', 'whereClause', 21)
    accepted({ ...base, whereClause: inside('NOT(', 10, ')') })
    refused({ ...base, whereClause: inside('NOT(', 11, ')') }, 'too_deep', 'whereClause', 41)
    accepted({ ...base, whereClause: Array.from({ length: 3 }, () => inside('(', 20, ')')).join('AND') })
  })

  test('allow 20 columns', () => {
    const names = (count: number) => Array.from({ length: count }, () => 'id').join(',')
    accepted({ ...base, columnNames: names(20), orderByClause: '$C20' })
    refused({ ...base, columnNames: names(20), orderByClause: '$C21' }, 'column_out_of_range', 'orderByClause', 1)
    refused({ ...base, columnNames: names(21) }, 'too_many_columns', 'columnNames', 61)
  })

  test('allow 100 placeholders', () => {
    const list = (count: number) => Array.from({ length: count }, (_, at) => `$V${at + 1}`).join(',')
    const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => at))
    accepted({ ...base, whereClause: `$C1 IN (${list(100)})`, values: numbers(100) })
    refused(
      { ...base, whereClause: `$C1 IN (${list(101)})`, values: numbers(101) },
      'value_out_of_range',
      'whereClause',
      9 + list(100).length + 1,
    )
    refused({ ...base, whereClause: '$C1 = $V999' }, 'value_out_of_range', 'whereClause', 7)
    refused({ ...base, whereClause: '$C101 = $V1' }, 'column_out_of_range', 'whereClause', 1)
    refused({ ...base, orderByClause: '$C999' }, 'column_out_of_range', 'orderByClause', 1)
  })

  test('allow 1,000 values in all groups together', () => {
    const numbers = (count: number) => Array.from({ length: count }, () => 7).join(',')
    const whereClause = '$C1 IN ($V1)'
    accepted({ ...base, whereClause, values: `[${numbers(1_000)}]` })
    refused({ ...base, whereClause, values: `[${numbers(1_001)}]` }, 'too_many_values', 'values', 2_002)
    const groups = `[${numbers(500)}],[${numbers(501)}]`
    refused(
      { ...base, whereClause: '$C1 IN ($V1,$V2)', values: groups },
      'too_many_values',
      'values',
      groups.length - 1,
    )
  })

  test('allow lists in lists, but no deeper nesting', () => {
    const whereClause = '$C1 IN ($V1)'
    accepted({ ...base, whereClause, values: '[[1],[2]]' })
    refused({ ...base, whereClause, values: '[[[1]]]' }, 'too_deep', 'values', 3)
    refused({ ...base, whereClause, values: '['.repeat(16_384) }, 'too_deep', 'values', 3)
  })

  test('allow 5 order terms', () => {
    const columnNames = 'id,partnerUserId,bankCardId,isRemoved,createdAt,updatedAt'
    accepted({ ...base, columnNames, orderByClause: '$C1,$C2,$C3,$C4,$C5' })
    accepted({ ...base, columnNames, orderByClause: '$C2,$C3,$C4,$C5,$C6' })
    refused(
      { ...base, columnNames, orderByClause: '$C1,$C2,$C3,$C4,$C5,$C6' },
      'too_many_order_terms',
      'orderByClause',
      21,
    )
  })

  test('allow texts of 500 and patterns of 200 characters', () => {
    const text = (operator: string, length: number, letter = 'é') => ({
      whereClause: `$C1 ${operator} $V1`,
      columnNames: 'bankCardId',
      values: `["${letter.repeat(length)}"]`,
    })
    for (const letter of ['x', 'é', '😀']) {
      accepted(text('=', 500, letter))
      refused(text('=', 501, letter), 'too_long', 'values', 2)
      for (const operator of ['LIKE', 'NOT ILIKE']) {
        accepted(text(operator, 200, letter))
        refused(text(operator, 201, letter), 'too_long', 'values', 2)
      }
    }
  })
})
