import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AchSettings } from '../../../src/rails/ach/settings.ts'
import { testAch } from './ach.ts'

/** The settings of a bank whose payments leave with files, with a folder of its own. */
export function railSettings(): { settings: AchSettings; folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'purser-ach-'))
  return { settings: testAch(folder), folder, remove: () => rmSync(folder, { recursive: true }) }
}
