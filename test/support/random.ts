import { randomInt } from 'node:crypto'
import { join, relative } from 'node:path'
import { expect, onTestFailed } from 'vitest'
import { randomNumbers } from '../../src/rewards/offers/sample-catalogue.ts'

const root = join(import.meta.dirname, '../..')

/** The test that asked last, by its file and name. */
let last = { test: '', seed: 0 }

/**
 * The seed of a test's random choices: another one in each run, or that of the variable SEED. `npm run soak` prints it before
 * the choices are made, every other run when the test has failed.
 */
export function seedOfTest(): number {
  const { currentTestName, testPath = '' } = expect.getState()
  const test = `${testPath} ${currentTestName}`
  if (last.test === test) return last.seed
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  last = { test, seed }
  const run = process.env.SOAK ? 'npm run soak --' : 'npx vitest run'
  const line = `seed ${seed}: SEED=${seed} ${run} ${relative(root, testPath)} repeats “${currentTestName}”\n`
  if (process.env.SOAK) process.stdout.write(line)
  else onTestFailed(() => void process.stdout.write(line))
  return seed
}

/** Random choices of a test, the same for the same seed. */
export interface Choices {
  /** A whole number from 0 and below an end. */
  below(end: number): number
  pick<T>(...items: T[]): T
}

export function choicesOfTest(): Choices {
  const next = randomNumbers(seedOfTest())
  const below = (end: number) => Math.floor(next() * end)
  return { below, pick: (...items) => items[below(items.length)] as (typeof items)[number] }
}
