import type { Logger } from 'pino'
import type { AchException } from '../../../banking/ach/ach-exception.ts'
import { StartupError } from '../../../base/startup-error.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { buildDueReturns } from '../returning/return-files.ts'
import { type FileReversal, type ReversedFile, reverseFile } from '../reverse-file.ts'
import type { OtherDatabase, ShareIntake } from '../spread/spread.ts'
import { shareIntakeOf } from '../spread/take-share.ts'
import { buildDueVerifications } from '../verifying/verification-files.ts'
import { requireOpenRail } from '../witness/witness.ts'
import { folderLimits, takeFiles, type WaitingFiles } from './folder.ts'
import { firstOrganisation, isOrganisation } from './incoming.sql.ts'
import { type Resolution, resolveException } from './resolve-exception.ts'
import { type Intake, takeFile } from './take-file.ts'

/** The intake of ACH files. */
export interface FileIntake {
  /** Takes the files in the incoming folder. In live mode the first database does so, for the further databases too. */
  takeFiles(log: Pick<Logger, 'info' | 'warn'>, others?: readonly OtherDatabase[]): Promise<void>
  /** Takes one file: in live mode for the bank, in a sandbox for an organisation, by default the first one. */
  takeFile(
    file: { name: string; bytes: Buffer; organisationId?: number | undefined },
    others?: readonly OtherDatabase[],
  ): Promise<Intake>
  /** The part of this database in files that the first database takes; undefined if there are none. */
  shares: ShareIntake | undefined
  /** Builds the files of returns that are due in live mode. */
  sendReturns(): Promise<void>
  /** Resolves an exception. */
  resolveException(id: number, resolution: Resolution): Promise<AchException>
  /** Takes back the payments of a file or a batch. */
  reverseFile(reversal: FileReversal): Promise<ReversedFile>
}

export function intakeOf(parts: BankParts): FileIntake {
  const { ach, database, mode } = parts
  const waiting: WaitingFiles = new Map()
  const limits = folderLimits()
  return {
    takeFiles: async (log, others = []) => {
      if (ach === 'instant') return
      // An answer to a file that the database has lost would match nothing, or another payment.
      if (mode === 'live') {
        await requireOpenRail({ database, ach })
        for (const { shares } of others) await shares?.requireOpenRail()
      }
      await takeFiles({ ...parts, ach }, { log, others, waiting, limits })
    },
    shares: ach === 'instant' ? undefined : shareIntakeOf({ ...parts, ach }),
    sendReturns: async () => {
      if (ach === 'instant' || mode === 'sandbox') return
      await requireOpenRail({ database, ach })
      await buildDueReturns({ ...parts, ach })
      await buildDueVerifications({ ...parts, ach })
    },
    resolveException: (id, resolution) => resolveException(parts, id, resolution),
    reverseFile: (reversal) => reverseFile(parts, reversal),
    takeFile: async ({ name, bytes, organisationId }, others) => {
      if (ach === 'instant') throw new StartupError('ACH files are taken with PURSER_ACH=windows only')
      const id = organisationId ?? (await firstOrganisation(database))
      if (id === undefined || !(await isOrganisation(database, id))) {
        throw new StartupError('there is no such organisation')
      }
      return takeFile({ ...parts, ach }, { organisationId: id, name, bytes }, others)
    },
  }
}
