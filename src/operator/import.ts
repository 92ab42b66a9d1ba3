import { statSync } from 'node:fs'
import { UsageError } from '../../ground/failure.ts'
import { StartupError } from '../base/startup-error.ts'
import type { OperatorCommand } from './command.ts'
import { importFolder } from './move-in.ts'
import { importOrganisation } from './organisation-files/import.ts'

/** Reads an archive of another bank, or a folder with the records of a former system. */
export const importRecords: OperatorCommand = (call) => {
  const {
    args: [from = ''],
    options,
  } = call
  const { identity, takeOver, files, organisation, webhooks } = options
  if (isFolder(from)) {
    if (identity !== undefined || takeOver || files !== undefined)
      throw new UsageError('--identity, --take-over and --files are for an archive, and this is a folder')
    return importFolder(call)
  }
  if (organisation !== undefined || webhooks)
    throw new UsageError('--organisation and --webhooks are for a folder, and this is a file')
  return importOrganisation(call)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw new StartupError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}
