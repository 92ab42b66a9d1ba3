import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { changePortions, type Portion } from './portions.ts'

/** Portions of these accounts that note their beginnings and ends. Each ends when the one after it could have begun. */
async function* portionsOf(accounts: number[][], log: string[], failing = -1): AsyncGenerator<Portion> {
  for (const [at, ids] of accounts.entries()) {
    log.push(`read ${at}`)
    const change = async () => {
      log.push(`begin ${at}`)
      await nextTurn()
      if (at === failing) throw new Error(`portion ${at} fails`)
      log.push(`end ${at}`)
    }
    yield { payments: ids.map((accountId) => ({ accountId })), change }
  }
}

test('the next portion begins before the one before has ended, and no more than two run', async () => {
  const log: string[] = []
  await changePortions(portionsOf([[1], [2], [3]], log))
  expect(log).toEqual([...['read 0', 'begin 0', 'read 1', 'begin 1', 'end 0', 'read 2', 'begin 2', 'end 1', 'end 2']])
})

test('portions that share an account follow one another', async () => {
  const log: string[] = []
  await changePortions(portionsOf([[1, 2], [2, 3], [4]], log))
  expect(log.filter((line) => !line.startsWith('read'))).toEqual([
    ...['begin 0', 'end 0', 'begin 1', 'begin 2', 'end 1', 'end 2'],
  ])
})

test('a portion that fails is thrown when the other has ended, and none begins behind it', async () => {
  const log: string[] = []
  await expect(changePortions(portionsOf([[1], [2], [3], [4]], log, 0))).rejects.toThrow('portion 0 fails')
  expect(log).toEqual(['read 0', 'begin 0', 'read 1', 'begin 1', 'end 1'])
  await expect(changePortions(portionsOf([[1]], [], 0))).rejects.toThrow('portion 0 fails')
})

test('no portions are no work', async () => {
  await changePortions(portionsOf([], []))
})
