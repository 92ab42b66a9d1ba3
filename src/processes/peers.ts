import cluster from 'node:cluster'
import type { Handler, Peers } from '../base/peers/peers.ts'
import { isMessage, type Message, openQuestions, reply } from './messages.ts'

/** The side of a process that serves requests. */
export interface OpenPeers extends Peers {
  /** Reports to the parent process that requests are served. */
  ready(address: string): void
}

/** Opens the channel to the parent process. Its end ends this process, when the requests under way are answered. */
export function openPeers(number: number, count: number): OpenPeers {
  const handlers = new Map<string, Handler>()
  const questions = openQuestions()
  // Otherwise node:cluster would end this process at once.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true

  process.on('message', (message) => {
    if (!isMessage(message)) return
    if (message.purser === 'answer') questions.settle(message)
    if (message.purser === 'ask') {
      const { id, topic, question } = message
      void reply(id, () => handlers.get(topic)?.(question, 0), send)
    }
    if (message.purser === 'tell') handlers.get(message.topic)?.(message.message, 0)
  })

  return {
    number,
    count,
    ask: (topic, question) => questions.ask((id) => send({ purser: 'ask', id, topic, question, of: 'peers' })),
    answer: (topic, handler) => void handlers.set(topic, handler),
    askParent: (topic, question) => questions.ask((id) => send({ purser: 'ask', id, topic, question, of: 'parent' })),
    tellParent: (topic, message) => send({ purser: 'tell', topic, message, to: 'parent' }),
    tellPeers: (topic, message) => send({ purser: 'tell', topic, message, to: 'peers' }),
    ready: (address) => send({ purser: 'ready', address }),
  }
}

/** A parent process that is gone gets nothing any more, and this process ends. */
function send(message: Message): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}
