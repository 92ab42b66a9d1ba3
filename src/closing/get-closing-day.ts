import { Type } from 'typebox'
import { BankingDay, ClosingDayDetails, closingRead, operatorOnly } from './closing.ts'

/** Extension. Reads a banking day: what keeps it open, or its certificates. */
export const getClosingDay = closingRead({
  id: 'getClosingDay',
  resource: 'closingDays',
  verb: 'get',
  path: '/v0/closing/days/:day',
  summary: 'Get closing day',
  description: `Returns every term of a banking day to the cent. Of an open day \`reasons\` say what keeps it open; of a closed day the terms are those of its certificate. A day that is no banking day, or comes before the first closed one, is refused with \`closing_day_not_found\`. ${operatorOnly}`,
  params: Type.Object({ day: BankingDay }),
  data: ClosingDayDetails,
  problems: ['closing_unavailable', 'closing_day_not_found'],
  run: ({ closing, caller }, { params }) => closing.getClosingDay(caller, params.day),
})
