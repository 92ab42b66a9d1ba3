import { mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { defaultWindows } from '../../../src/rails/ach/calendar.ts'
import type { AchSettings } from '../../../src/rails/ach/settings.ts'

/** The settings of a bank whose payments leave with ACH files to a folder; unless it is named, to one that the run removes. */
export function testAch(outgoing = folderOfRun()): AchSettings {
  return {
    destination: '061000146',
    destinationName: 'OPERATOR',
    origin: ' 812345678',
    originName: 'SAMPLE BANK',
    companyName: 'SAMPLE',
    companyId: '1234567890',
    windows: defaultWindows,
    sameDayLimitCents: 1_000_000_00,
    acknowledge: 'optional',
    outgoing,
    incoming: join(outgoing, 'in'),
  }
}

function folderOfRun(): string {
  return mkdtempSync(join(dirname(inject('prepared')), 'ach-'))
}
