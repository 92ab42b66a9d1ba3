import { describe, expect, test } from 'vitest'
import { CommitLost, DatabaseUnavailable, LockTimeout, OrganisationEnded } from '../database/database.ts'
import { type Attempt, halvesOf, organisationsOf, type Step, stepAfter } from './attempts.ts'
import type { Command } from './books.ts'

const first: Attempt = { locking: 'wait', readKeys: false }
const wary: Attempt = { locking: 'wait', readKeys: true }
const skipping: Attempt = { locking: 'skip', readKeys: true }
const canceled = new LockTimeout('statement timeout', { cause: { code: '57014' } })

describe('the step after a failed attempt', () => {
  test.each<[failure: string, error: unknown, failed: Attempt, step: Step]>([
    ['a lock timeout leaves out the locked accounts', new LockTimeout('held'), first, skipping],
    ['a second lock timeout divides the batch by organisation', new LockTimeout('held'), skipping, 'organisations'],
    ['a statement that took too long refuses the batch', canceled, first, 'refuse'],
    ['a database that is gone refuses the batch', new DatabaseUnavailable('gone'), first, 'refuse'],
    ['a lost COMMIT refuses the batch', new CommitLost('lost'), first, 'refuse'],
    ['an organisation that has ended divides the batch by organisation', new OrganisationEnded('1'), first, 'ended'],
    ['another error looks keys up', new Error('duplicate key'), first, wary],
    ['another error after that halves the batch', new Error('duplicate key'), wary, 'halves'],
    ['another error without the locked accounts halves the batch', new Error('duplicate key'), skipping, 'halves'],
  ])('%s', (_failure, error, failed, step) => {
    expect(stepAfter(error, failed)).toEqual(step)
  })
})

const ofOrganisation = (organisationId: number) => ({ write: { caller: { organisationId } } }) as Command<never>

describe('the parts of a batch', () => {
  test('are halves that hold every position once', () => {
    expect(halvesOf([1, 1, 1, 1, 1].map(ofOrganisation))).toEqual([
      [0, 1, 2],
      [3, 4],
    ])
    expect(halvesOf([ofOrganisation(1)])).toEqual([[0]])
  })

  test('are organisations with the positions of their commands', () => {
    expect(organisationsOf([7, 8, 7, 9, 8].map(ofOrganisation))).toEqual([[0, 2], [1, 4], [3]])
  })
})
