import { Type } from 'typebox'

/** A day on which entries settle. */
export const SettlementDay = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  examples: ['2026-02-03'],
  description: 'A settlement day, in Eastern time',
})
