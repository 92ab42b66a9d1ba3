import type { Area } from '../../screens.tsx'
import { ClosingDayScreen } from './day.tsx'
import { ClosingDays } from './days.tsx'
import { OpenItems } from './items.tsx'
import { BankStatements } from './statements.tsx'

/** The screens of closed days. */
export const closing: Area = {
  pages: { '/closing': ClosingDays, '/closing/items': OpenItems, '/closing/statements': BankStatements },
  records: { '/closing/days': ClosingDayScreen },
}
