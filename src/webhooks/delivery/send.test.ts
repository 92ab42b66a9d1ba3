import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openAddressGuard } from './address-guard.ts'
import type { Resolve } from './resolve.ts'
import { openSender, type Sender } from './send.ts'
// The first attempt would load it within the time that is measured.
import './agent.ts'

const TIMEOUT_MS = 400
/** Ten times the time-out, for a machine that is busy. */
const LATE_MS = 4_000

let server: Server
let url: string
let answer: (socket: Socket) => void
let sent: number
let sender: Sender

beforeEach(async () => {
  sent = 0
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  sender = open()
})
afterEach(async () => {
  await sender.close()
  server.close()
})

function open(resolve?: Resolve, timeoutMs = TIMEOUT_MS): Sender {
  const guard = openAddressGuard({ mode: 'sandbox', connectTimeoutMs: timeoutMs, ...(resolve && { resolve }) })
  return openSender({ guard, timeoutMs, userAgent: 'test' })
}

const post = (to = url) => sender.send({ url: to, headers: {}, body: '{}', secrets: [] })

const closeOf = (socket: Socket) => new Promise((closed) => socket.once('close', closed))

/** Writes a text again and again until the connection ends. */
async function repeat(socket: Socket, text: string, everyMs: number): Promise<void> {
  const closed = closeOf(socket)
  while (!socket.destroyed) {
    if (!socket.write(text)) await Promise.race([new Promise((drained) => socket.once('drain', drained)), closed])
    sent += text.length
    if (everyMs > 0) await sleep(everyMs)
  }
}

describe('an attempt ends in time', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    [
      'sends headers byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
        void repeat(socket, 'x', 20)
      },
    ],
    ['sends informational answers without end', (socket) => void repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 5)],
    [
      'sends a body byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 500 Broken\r\ncontent-length: 1000000\r\n\r\n')
        void repeat(socket, 'x', 20)
      },
    ],
  ])('when the receiver %s', async (_what, behaviour) => {
    answer = behaviour
    const started = performance.now()
    expect(await post()).toMatchObject({ responseStatus: null, error: 'no answer within 0.4 s' })
    expect(performance.now() - started).toBeLessThan(LATE_MS)
  })

  test('when the name is never looked up', async () => {
    await sender.close()
    sender = open(() => new Promise(() => undefined))
    const started = performance.now()
    const { responseStatus, error } = await post('http://app.example/')
    expect([responseStatus, error]).toEqual([null, expect.any(String)])
    expect(performance.now() - started).toBeLessThan(LATE_MS)
  })
})

describe('an answer is read to a limit', () => {
  // The limit of bytes ends the attempt, however slow the machine is.
  beforeEach(() => {
    sender = open(undefined, 30_000)
  })

  test('when its body has no end', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    answer = (socket) => {
      closed = closeOf(socket)
      socket.write('HTTP/1.1 500 Broken\r\ntransfer-encoding: chunked\r\n\r\n')
      void repeat(socket, `1000\r\n${'x'.repeat(4096)}\r\n`, 0)
    }
    expect(await post()).toMatchObject({ responseStatus: 500, response: 'x'.repeat(200) })
    const read = sent
    // The connection is closed, so that no more is sent than what is on its way.
    await closed
    expect(sent - read).toBeLessThan(1_000_000)
  })

  test('when its headers have no end', async () => {
    answer = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      void repeat(socket, `x-filler: ${'x'.repeat(1_000)}\r\n`, 0)
    }
    expect(await post()).toMatchObject({ responseStatus: null, error: expect.stringMatching(/header/i) })
  })
})

test('a connection that is kept alive is closed soon, however long the receiver offers to keep it', async () => {
  sender = open(undefined, 30_000)
  let closed = false
  answer = (socket) => {
    socket.on('close', () => {
      closed = true
    })
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nkeep-alive: timeout=600\r\n\r\n')
  }
  expect(await post()).toMatchObject({ responseStatus: 200 })
  await expect.poll(() => closed, { timeout: 30_000 }).toBe(true)
})
