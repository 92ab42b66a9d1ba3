import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { openPeers } from './peers.ts'

/** A channel to a parent process that takes messages and answers none. */
class Silent extends EventEmitter {
  connected = true
  send = () => true
  end() {
    this.connected = false
    this.emit('disconnect')
  }
}

test('questions that wait for an answer, and later ones, end with the parent process', async () => {
  const channel = new Silent()
  const peers = openPeers(1, 2, channel as unknown as NodeJS.Process)
  const [others, counted] = [peers.ask('topic', 1), peers.askParent('topic', 1)]
  const refused = expect(counted).rejects.toMatchObject({ code: 'unavailable' })
  channel.end()
  expect(await others).toEqual([])
  await refused
  expect(await peers.ask('topic', 2)).toEqual([])
  await expect(peers.askParent('topic', 2)).rejects.toMatchObject({ code: 'unavailable' })
})
