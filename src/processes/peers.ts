import cluster from 'node:cluster'
import type { Handler, Peers } from '../base/peers/peers.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { isMessage, type Message, openQuestions, reply } from './messages.ts'

/** The side of a process that serves requests. */
export interface OpenPeers extends Peers {
  /** Reports to the parent process that requests are served. */
  ready(address: string): void
}

/** The channel to the parent process. */
type Channel = Pick<NodeJS.Process, 'on' | 'once' | 'send' | 'connected'>

/** Opens the channel to the parent process. Its end ends this process, when the requests under way are answered. */
export function openPeers(number: number, count: number, channel: Channel = process): OpenPeers {
  const handlers = new Map<string, Handler>()
  const questions = openQuestions()
  const gone = new Problem('unavailable', { headers: retryAfter(1) })
  // Otherwise node:cluster would end this process at once.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true

  channel.once('disconnect', () => questions.end(gone))
  channel.on('message', (message: unknown) => {
    if (!isMessage(message)) return
    if (message.purser === 'answer') questions.settle(message)
    if (message.purser === 'ask') {
      const { id, topic, question } = message
      void reply(id, () => handlers.get(topic)?.(question, 0), send)
    }
    if (message.purser === 'tell') handlers.get(message.topic)?.(message.message, 0)
  })

  /** A parent process that is gone gets nothing any more, and this process ends. */
  function send(message: Message): void {
    if (channel.connected) channel.send?.(message, undefined, {}, () => undefined)
  }

  function ask<Answer>(topic: string, question: unknown, of: 'parent' | 'peers'): Promise<Answer> {
    if (!channel.connected) return Promise.reject(gone)
    return questions.ask((id) => send({ purser: 'ask', id, topic, question, of }))
  }

  return {
    number,
    count,
    ask: <Answer>(topic: string, question: unknown) =>
      ask<Answer[]>(topic, question, 'peers').catch((error: unknown) => {
        if (error === gone) return []
        throw error
      }),
    answer: (topic, handler) => void handlers.set(topic, handler),
    askParent: (topic, question) => ask(topic, question, 'parent'),
    tellParent: (topic, message) => send({ purser: 'tell', topic, message, to: 'parent' }),
    tellPeers: (topic, message) => send({ purser: 'tell', topic, message, to: 'peers' }),
    ready: (address) => send({ purser: 'ready', address }),
  }
}
