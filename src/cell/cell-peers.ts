import type { Peers } from '../base/peers/peers.ts'

/** The other processes as a cell speaks with them: each cell has topics of its own. */
export function cellPeers(peers: Peers, place: number): Peers {
  if (place === 0) return peers
  const own = (topic: string) => `${topic}.${place}`
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
