import { Type } from 'typebox'
import { BankingDay, closingWrite, DayCertificate, operatorOnly } from './closing.ts'

/** Extension. Closes a banking day with a signed certificate. */
export const closeDay = closingWrite({
  id: 'closeDay',
  resource: 'closingDays',
  verb: 'close',
  path: '/v0/closing/days/:day/close',
  summary: 'Close day',
  description: `Closes a banking day against the statement of the settlement account, and signs its certificate with PURSER_CLOSING_KEY. A day that cannot be closed is refused with \`closing_day_open\` and all reasons, in cents; one that is closed with \`closing_day_wrong_state\`. ${operatorOnly}`,
  status: 201,
  params: Type.Object({ day: BankingDay }),
  data: DayCertificate,
  problems: ['closing_unavailable', 'closing_day_not_found', 'closing_day_open', 'closing_day_wrong_state'],
  run: ({ closing, write }, { params }) => closing.closeDay(write, params.day),
})
