import { expect, test } from 'vitest'
import { openTestBank } from '../../support/harness.ts'
import { fastestMs } from '../../support/run/fastest.ts'

test('The list of requests takes a moment, whatever the requests were', async () => {
  const large = await openTestBank()
  try {
    // The largest that are kept: tens of thousands of short headers, and bodies of 10 KB.
    const headers: Record<string, string> = {}
    for (let number = 0; number < 6_000; number++) headers[`h${number}`] = 'v'
    const raw = `{"customerId":"${'x'.repeat(10_000)}"}`
    for (let count = 0; count < 300; count++) await large.call('POST', '/v0/banking/accounts', { raw, headers })
    const queries = ['limit=1000', 'requestId=none', 'idempotencyKey=none', 'status=4xx&limit=1000']
    const ofAll = await fastestMs(async () => {
      for (const query of queries) {
        const { status } = await large.call('GET', `/v0/requests?${query}`, { headers: { 'x-purser-tool': 'test' } })
        expect(status).toBe(200)
      }
    })
    const ms = ofAll / queries.length
    process.stdout.write(`${ms.toFixed(1)} ms a list of the largest requests\n`)
    // 25 ms are allowed; ten times that on a busy machine.
    expect(ms).toBeLessThan(250)
  } finally {
    await large.close()
  }
})
