import type { Logger } from 'pino'
import type { AchException } from '../../../../banking/ach/ach-exception.ts'
import { StartupError } from '../../../../base/startup-error.ts'
import type { BankParts } from '../../bank-parts.ts'
import { buildDueReturns } from '../returning/return-files.ts'
import { takeFiles } from './folder.ts'
import { firstOrganisation, isOrganisation } from './incoming.sql.ts'
import { type Resolution, resolveException } from './resolve-exception.ts'
import { type Intake, takeFile } from './take-file.ts'

/** The intake of ACH files. */
export interface FileIntake {
  /** Takes the files in the incoming folder. In live mode the returns leave that are due, too. */
  takeFiles(log: Pick<Logger, 'info' | 'warn'>): Promise<void>
  /** Takes one file: in live mode for the bank, in a sandbox for an organisation, by default the first one. */
  takeFile(file: { name: string; bytes: Buffer; organisationId?: number | undefined }): Promise<Intake>
  /** Resolves an exception. */
  resolveException(id: number, resolution: Resolution): Promise<AchException>
}

export function intakeOf(parts: BankParts): FileIntake {
  const { ach, database, mode } = parts
  return {
    takeFiles: async (log) => {
      if (ach === 'instant') return
      await takeFiles({ ...parts, ach }, log)
      if (mode === 'live') await buildDueReturns({ ...parts, ach })
    },
    resolveException: (id, resolution) => resolveException(parts, id, resolution),
    takeFile: async ({ name, bytes, organisationId }) => {
      if (ach === 'instant') throw new StartupError('ACH files are taken with PURSER_ACH=windows only')
      const id = organisationId ?? (await firstOrganisation(database))
      if (id === undefined || !(await isOrganisation(database, id))) {
        throw new StartupError('there is no such organisation')
      }
      return takeFile({ ...parts, ach }, { organisationId: id, name, bytes })
    },
  }
}
