import { StartupError } from '../../base/startup-error.ts'
import { UsageError } from '../command.ts'
import type { AchWork } from './ach.ts'
import { updateCompany } from './files.sql.ts'

/** Sets the company of the batches of an organisation. An empty text brings back the one of the settings. */
export function setCompany({ organisation, name, id }: Record<string, string | undefined>): AchWork {
  if (organisation === undefined) throw new UsageError('--organisation takes the name of an organisation')
  if (name === undefined && id === undefined) throw new UsageError('--name or --id is needed')
  checkText('--name', name, 16)
  checkText('--id', id, 10)
  return async (database, { out }) => {
    const company = await updateCompany(database, { organisation, name, companyId: id })
    if (!company) throw new StartupError(`there is no organisation ${organisation}`)
    const shown = (text: string | null) => text ?? 'that of the settings'
    out.result(
      { organisation, ...company },
      `batches of ${organisation} have the company name ${shown(company.name)} and the company id ${shown(company.companyId)} from the next file on`,
    )
  }
}

function checkText(option: string, given: string | undefined, max: number): void {
  if (given === undefined || given === '') return
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(given) && given.length <= max
  if (!isPlain) throw new UsageError(`${option} takes up to ${max} ASCII characters`)
}
