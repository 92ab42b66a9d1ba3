import { Type } from 'typebox'
import { BankingDay, closingWrite, DayCertificate, operatorOnly, Reason } from './closing.ts'

/** Extension. Opens the last closed day again; its certificate stays. */
export const reopenDay = closingWrite({
  id: 'reopenDay',
  resource: 'closingDays',
  verb: 'reopen',
  path: '/v0/closing/days/:day/reopen',
  summary: 'Reopen day',
  description: `Opens the last closed day again. Its certificate stays, and the next version names it and the reason. Any other day is refused with \`closing_day_wrong_state\`. ${operatorOnly}`,
  params: Type.Object({ day: BankingDay }),
  body: Type.Object({ reason: Reason }, { description: 'The reason' }),
  data: DayCertificate,
  problems: ['closing_unavailable', 'closing_day_not_found', 'closing_day_wrong_state'],
  run: ({ closing, write }, { params, body }) => closing.reopenDay(write, params.day, body.reason),
})
