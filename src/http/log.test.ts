import { pino } from 'pino'
import { expect, test } from 'vitest'
import { requestLog } from './log.ts'

test('the line of a request is JSON, whatever its path and its id hold', () => {
  const lines: string[] = []
  const write = requestLog(pino({ level: 'info' }, { write: (line) => void lines.push(line) }))
  const texts = ['/plain', '', '/a"b', '/a\\b', '/a\tb\fc\u0000', '/\u007f\u0085', '/caf\u00e9', '/\ud800', '/\u2028']
  for (const text of texts) write({ method: 'GET', path: text, status: 200, ms: 0.1, requestId: text })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    texts.map((text) => ({ level: 30, method: 'GET', path: text, status: 200, ms: 0.1, requestId: text })),
  )
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
})
