import { UsageError } from '../../../ground/failure.ts'
import { StartupError } from '../../base/startup-error.ts'
import { placeOfOrganisation } from '../../cells/visit.ts'
import { visitDatabase } from '../../database/visit.ts'
import type { OperatorCommand } from '../command.ts'
import { updateCompany } from './files.sql.ts'

/** Sets the company of the batches of an organisation. An empty text brings back the one of the settings. */
export const setCompany: OperatorCommand = async ({ options, config, out, closers }) => {
  const { organisation = '', name, id } = options as Record<string, string | undefined>
  if (name === undefined && id === undefined) throw new UsageError('--name or --id is needed')
  checkText('--name', name, 16)
  checkText('--id', id, 10)
  const place = await placeOfOrganisation(config(), organisation, closers)
  const update = { organisation, name, companyId: id }
  const company = await visitDatabase(place, (database) => updateCompany(database, update), closers)
  if (!company) throw new StartupError(`there is no organisation ${organisation}`)
  const shown = (text: string | null) => text ?? 'that of the settings'
  out.result(
    { organisation, ...company },
    `batches of ${organisation} have the company name ${shown(company.name)} and the company id ${shown(company.companyId)} from the next file on`,
  )
}

function checkText(option: string, given: string | undefined, max: number): void {
  if (given === undefined || given === '') return
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(given) && given.length <= max
  if (!isPlain) throw new UsageError(`${option} takes up to ${max} ASCII characters`)
}
