import { describe, expect, test } from 'vitest'
import { batchesOf, readPaymentList } from './payment-list.ts'

const head = 'accountId,counterpartyAccountId,amount,description'
const rent = { originalType: 'ACH', accountId: '1', counterpartyAccountId: '2', amount: 2_500, description: 'Rent' }

describe('a list of payments', () => {
  test.each([
    ['a table', `${head}\n1,2,2500,Rent\n`],
    ['lines of Windows, a byte order mark, and lines without content', `\uFEFF${head}\r\n\r\n1,2,2500,Rent\r\n,,,\r\n`],
    ['tabs, as a spreadsheet copies them', `${head.replaceAll(',', '\t')}\taddenda\n1\t2\t2500\tRent\t`],
    ['semicolons and names in words', '"Account ID";Counterparty account id;AMOUNT;description\n1;2;2500;"Rent"'],
    ['a JSON list', JSON.stringify([rent])],
    ['the body of a request', JSON.stringify({ payments: [rent] })],
  ])('is read from %s', (_form, text) => {
    expect(readPaymentList(text)).toEqual([rent])
  })

  test('has cells with separators, quotes and breaks, tags, and all members of a payment', () => {
    const text = `${head},addenda,sameDay,secCode,idempotencyKey,tags.Cost centre\n1,2,2500, "Rent" ,"a, ""b""\nc",TRUE,PPD,k-1,7`
    expect(readPaymentList(text)).toEqual([
      {
        ...rent,
        ...{ addenda: 'a, "b"\nc', sameDay: true, secCode: 'PPD', idempotencyKey: 'k-1' },
        tags: { 'Cost centre': '7' },
      },
    ])
  })

  test.each([
    ['', 'the list is empty'],
    [' \n\t', 'the list is empty'],
    ['[]', 'the list has no payment'],
    [head, 'the list has no payment'],
    ['{"payments":', 'the list is not JSON'],
    ['{"payment": []}', 'the JSON is no list of payments'],
    ['[{}, 1, null, []]', 'item 2 is no payment; item 3 is no payment; item 4 is no payment'],
    ['1,2,2500,Rent', 'there is no column "1"'],
    [`${head},memo`, 'there is no column "memo"; the first line names some of accountId'],
    [`${head},Amount`, 'the column amount occurs twice'],
    ['accountId,description', 'the columns counterpartyAccountId, amount are missing'],
    [head.replace(',amount', ''), 'the column amount is missing'],
    [
      `${head}\n1,2,2500\n1,2,25.00,Rent`,
      'line 2 has 3 cells in place of 4; line 3: amount is in cents, 2500 for 25.00',
    ],
    [`${head}\n\n1,,-5,Rent`, 'line 3: counterpartyAccountId is missing; line 3: amount is in cents'],
    [`${head},sameDay\n1,2,3,x,yes`, 'line 2: sameDay is true or false; not "yes"'],
    [`${head}\n1,2,3,"Rent`, 'line 2: a cell in double quotes does not end with one'],
    [`${head}\n1,2,3,"Rent"x`, 'line 2: a cell in double quotes does not end with one'],
    [`${head}\n${'1,2,x,y\n'.repeat(9)}`, 'and 4 more'],
  ])('that is wrong is refused with the line: %j', (text, message) => {
    expect(() => readPaymentList(text)).toThrow(message)
  })

  test('of ten thousand lines and a cell of a megabyte are read without delay', () => {
    const start = performance.now()
    expect(readPaymentList(`${head}\n${'1,2,2500,"Rent"\n'.repeat(10_000)}`)).toHaveLength(10_000)
    expect(() => readPaymentList(`${head}\n1,2,3,"${'""x'.repeat(300_000)}`)).toThrow('double quotes')
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

test('payments are sent in portions of a thousand, each with a key that its place decides', () => {
  const payments = Array.from({ length: 2_001 }, (_, at) => (at === 5 ? { ...rent, idempotencyKey: 'own' } : rent))
  const batches = batchesOf(readPaymentList(JSON.stringify(payments)), 'run')
  expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 1])
  expect([batches[0]?.[5], batches[1]?.[0], batches[2]?.[0]].map((each) => each?.idempotencyKey)).toEqual([
    ...['own', 'run/1000', 'run/2000'],
  ])
})
