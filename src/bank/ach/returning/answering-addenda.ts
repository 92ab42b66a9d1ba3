import { dayNumberOf } from '../../../rails/ach/calendar.ts'
import type { Addenda } from '../../../rails/ach/file.ts'
import type { KeptEntry } from './kept-entries.ts'

/** Our return that the other bank dishonored: the settlement days of the entry that it answered, and its own. */
export interface ContestedReturn {
  originalSettledOn: string
  returnedOn: string
}

/** The addenda with which an entry goes back: a return, the dishonor of a return, or the contest of a dishonor. */
export function answeringAddenda(
  code: string,
  { addenda, ...entry }: KeptEntry,
  { settlesOn, contested }: { settlesOn: string; contested?: ContestedReturn | undefined },
): Addenda {
  const settlementDay = dayNumberOf(settlesOn)
  if (addenda?.type === 'return') {
    const { originalTrace, originalBank, code: returned } = addenda
    return {
      ...{ type: 'dishonour', code, originalTrace, originalBank, returnTrace: entry.traceNumber },
      ...{ returnSettlementDay: settlementDay, returnReason: returned.slice(1), information: '' },
    }
  }
  if (addenda?.type === 'dishonour') {
    const { originalTrace, originalBank, returnTrace, returnSettlementDay, returnReason, code: dishonored } = addenda
    return {
      ...{ type: 'contest', code, originalTrace, originalBank, returnTrace, returnSettlementDay, returnReason },
      returnedOn: contested?.returnedOn ?? '',
      originalSettlementDay: contested ? dayNumberOf(contested.originalSettledOn) : '',
      ...{ dishonourTrace: entry.traceNumber, dishonourSettlementDay: settlementDay },
      dishonourReason: dishonored.slice(1),
    }
  }
  return {
    ...{ type: 'return', code, originalTrace: entry.traceNumber, dateOfDeath: '' },
    ...{ originalBank: entry.routingNumber.slice(0, 8), information: '' },
  }
}
