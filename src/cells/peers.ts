import type { Peers } from '../base/peers/peers.ts'
import { HOME } from './settings.ts'

/**
 * The other processes as a cell speaks with them: each cell has topics of its own, by its name. Its place can differ between
 * processes, because a process that started after a cell was retired does not have that one.
 */
export function cellPeers(peers: Peers, name: string): Peers {
  if (name === HOME) return peers
  const own = (topic: string) => `${topic}.${name}`
  return {
    number: peers.number,
    count: peers.count,
    ask: (topic, question) => peers.ask(own(topic), question),
    tellPeers: (topic, message) => peers.tellPeers(own(topic), message),
    answer: (topic, handler) => peers.answer(own(topic), handler),
    askParent: peers.askParent,
    tellParent: peers.tellParent,
  }
}
