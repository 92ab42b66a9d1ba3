import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliveriesOf, makeEndpoint, openConsumer } from '../../../test/support/consumer.ts'
import { openTestBank } from '../../../test/support/harness.ts'
import { until } from '../../../test/support/service.ts'
import { mayConnect, openAddressGuard } from './address-guard.ts'
import type { Address } from './resolve.ts'
import { openSender } from './send.ts'

/** Nowhere: neither mode connects. */
const never = [
  '0.0.0.0',
  '0.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:93.184.216.34',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'ff02::1',
  '5f00::1',
  'localhost',
  '',
]
/** Next door: a sandbox connects. */
const near = [
  '10.0.0.0',
  '10.255.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.168.0.0',
  '192.168.255.255',
  '::1',
  'fc00::1',
  'fdff::1',
]
/** The public ones, many of them right beside the others. */
const open = [
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2606:2800:220:1:248:1893:25c8:1946',
]

describe('mayConnect', () => {
  test.each([
    ['refuses reserved addresses in both modes', never, false, false],
    ['allows private addresses in sandbox mode only', near, true, false],
    ['allows public addresses in both modes', open, true, true],
  ])('%s', (_what, addresses, sandbox, live) => {
    for (const address of addresses) {
      expect([mayConnect(address, 'sandbox'), mayConnect(address, 'live')], address).toEqual([sandbox, live])
    }
  })
})

describe('a connection', () => {
  let server: Server
  let port: number
  let connections: number
  beforeEach(async () => {
    connections = 0
    server = createServer((_request, response) => response.end())
    server.on('connection', () => connections++)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    port = (server.address() as AddressInfo).port
  })
  afterEach(() => new Promise((closed) => server.close(closed)))

  const post = { headers: {}, body: '{}', secrets: [] }
  const send = async (url: string, mode: 'sandbox' | 'live', answers: Address[][]) => {
    const resolve = async () => answers.shift() ?? []
    const guard = openAddressGuard({ mode, resolve, connectTimeoutMs: 10_000 })
    const sender = openSender({ guard, timeoutMs: 10_000, userAgent: 'test' })
    const sent = await sender.send({ ...post, url })
    await sender.close()
    return sent
  }
  const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 })

  test('is made to the address that was checked, even if the name resolves to another one a moment later', async () => {
    const { responseStatus } = await send(`http://app.example:${port}/`, 'sandbox', [
      [at('127.0.0.1')],
      [at('169.254.169.254')],
    ])
    expect([responseStatus, connections]).toEqual([200, 1])
  })

  test('is refused if one of several addresses is forbidden, if there is none, and for a forbidden literal address', async () => {
    const name = `https://app.example:${port}/`
    for (const [url, ...answers] of [
      [name, [at('93.184.216.34'), at('127.0.0.1')]],
      [name, [at('::ffff:127.0.0.1')]],
      [name, []],
      [`https://127.0.0.1:${port}/`],
      [`https://[::1]:${port}/`],
      [`https://0x7f000001:${port}/`],
      [`http://93.184.216.34:${port}/`],
    ] as [string, ...Address[][]][]) {
      const { responseStatus, error } = await send(url, 'live', answers)
      expect([responseStatus, connections], `${url} ${error}`).toEqual([null, 0])
      expect(error).toMatch(/may not be sent to|no public address|https only/)
      // The error does not show the addresses of a name in the network behind the service.
      if (url === name) expect(error).not.toMatch(/\d\.\d|::/)
    }
  })

  test('is not made to a name that resolves to loopback when an event is sent', async () => {
    const meanings = ['127.0.0.1']
    const consumer = await openConsumer()
    const bank = await openTestBank({
      mode: 'live',
      webhooks: { resolve: async () => [at(meanings.shift() ?? '127.0.0.1')] },
    })
    const url = `https://rebound.example:${new URL(consumer.url).port}/`
    const { id } = await makeEndpoint(bank, url, ['payment.*'])
    await bank.call('POST', `/v0/webhook-endpoints/${id}/test`)
    const attempt = await until('an attempt', async () => (await deliveriesOf(bank, id))[0]?.attempts[0])
    expect(attempt).toMatchObject({
      status: 'Failed',
      responseStatus: null,
      error: 'rebound.example has no public address',
    })
    expect(meanings).toEqual([])
    expect(consumer.received).toEqual([])
    await bank.close()
    await consumer.close()
  })
})
