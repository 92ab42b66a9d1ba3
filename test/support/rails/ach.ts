import { join } from 'node:path'
import { defaultWindows } from '../../../src/rails/ach/calendar.ts'
import type { AchSettings } from '../../../src/rails/ach/settings.ts'

/** The settings of a bank whose payments leave with ACH files to a folder. */
export function testAch(outgoing: string): AchSettings {
  return {
    destination: '061000146',
    destinationName: 'OPERATOR',
    origin: ' 812345678',
    originName: 'SAMPLE BANK',
    companyName: 'SAMPLE',
    companyId: '1234567890',
    windows: defaultWindows,
    sameDayLimitCents: 1_000_000_00,
    outgoing,
    incoming: join(outgoing, 'in'),
  }
}
