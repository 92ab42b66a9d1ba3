import { describe, expect, test } from 'vitest'
import { refusedBy } from './refusal.ts'

describe('A refusal of the request itself', () => {
  test.each([400, 404, 409, 415, 422])('lasts if its status is %i', (status) => {
    expect(refusedBy(status, [], ['account_not_found'])?.lasting).toBe(true)
  })
})
