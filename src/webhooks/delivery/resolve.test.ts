import { createSocket, type Socket } from 'node:dgram'
import { afterEach, describe, expect, test } from 'vitest'
import { openResolver, openSystemResolver } from './resolve.ts'

describe('a resolver that asks the name servers', () => {
  let server: Socket | undefined
  afterEach(() => void server?.close())

  /** A name server that answers with these bytes after the question, or not at all. */
  async function serve(answer: ((question: Buffer) => Buffer) | undefined): Promise<string> {
    const socket = createSocket('udp4')
    server = socket
    socket.on('message', (question, from) => {
      if (answer) socket.send(answer(question), from.port, from.address)
    })
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
    return `127.0.0.1:${socket.address().port}`
  }

  /** An answer with one A record; none if another type is asked for. */
  function addressRecord(question: Buffer, address: number[]): Buffer {
    const end = question.indexOf(0, 12) + 5
    const isA = question.readUInt16BE(end - 4) === 1
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(isA ? 1 : 0, 6)
    header.writeUInt16BE(0, 10)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address])
    return Buffer.concat([header, question.subarray(12, end), isA ? record : Buffer.alloc(0)])
  }

  test('answers the addresses of a name', async () => {
    const servers = [await serve((question) => addressRecord(question, [93, 184, 216, 34]))]
    expect(await openResolver({ servers })('app.example')).toEqual([{ address: '93.184.216.34', family: 4 }])
  })

  test('gives up a name server that does not answer', async () => {
    const resolve = openResolver({ servers: [await serve(undefined)], timeoutMs: 100 })
    const started = performance.now()
    await expect(resolve('app.example')).rejects.toThrow()
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('a resolver that asks the system', () => {
  test('has no more look-ups at a time than its limit, and refuses one that waits too long', async () => {
    let running = 0
    let mostRunning = 0
    const ends: (() => void)[] = []
    const resolve = openSystemResolver({
      max: 2,
      waitMs: 100,
      lookup: async () => {
        mostRunning = Math.max(mostRunning, ++running)
        await new Promise<void>((end) => ends.push(end))
        running--
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    const slow = [resolve('one.example'), resolve('two.example')]
    await expect(resolve('three.example')).rejects.toThrow()
    for (const end of ends.splice(0)) end()
    expect(await Promise.all(slow)).toHaveLength(2)
    const next = resolve('four.example')
    await expect.poll(() => ends.length).toBe(1)
    ends[0]?.()
    expect(await next).toEqual([{ address: '127.0.0.1', family: 4 }])
    expect(mostRunning).toBe(2)
  })

  test('knows localhost', async () => {
    const addresses = await openSystemResolver({ waitMs: 5_000 })('localhost')
    expect(addresses.map(({ address }) => address)).toContain('127.0.0.1')
  })
})
