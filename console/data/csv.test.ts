import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('records become lines with the members of inner objects, and no cell is a formula', () => {
  const records = [
    { id: '1', amount: -500, to: { name: 'Ann "A", B' }, tags: {} },
    { id: '2', amount: 7, to: { name: '=1+1' }, kinds: ['a', 'b'], reason: null },
  ]
  expect(csvOf(records)).toBe(
    'id,amount,to.name,kinds,reason\r\n1,-500,"Ann ""A"", B",,\r\n2,7,\'=1+1,"[""a"",""b""]",\r\n',
  )
  expect(csvOf([])).toBe('\r\n')
})
