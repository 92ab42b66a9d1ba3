import { UsageError } from '../../../ground/failure.ts'
import { ensureOrganisation } from '../../access/organisations.ts'
import { StartupError } from '../../base/startup-error.ts'
import { isCleanText } from '../../base/text.ts'
import { requireClaimed } from '../../cells/claim.ts'
import { cellNamed, findOwner } from '../../cells/visit.ts'
import { openRecordIds } from '../../database/record-ids.ts'
import { visitDatabase } from '../../database/visit.ts'
import type { OperatorCommand } from '../command.ts'

/** Creates an organisation in a cell, the home cell unless one is named. A name is used once over all cells. */
export const createOrganisation: OperatorCommand = async ({ args: [name = ''], options, config, out, closers }) => {
  const length = [...name].length
  if (length < 1 || length > 255 || !isCleanText(name))
    throw new UsageError('a name has 1 to 255 characters and no control characters')
  const settings = config()
  const place = cellNamed(settings, typeof options.cell === 'string' ? options.cell : 'home')
  if (await findOwner(settings, name, closers)) throw new StartupError(`there is an organisation ${name} already`)
  const id = await visitDatabase(
    place,
    async (database) => {
      await requireClaimed(database, place)
      return ensureOrganisation(database, openRecordIds(database), name)
    },
    closers,
  )
  const next = `Make a key for it with purser keys create --organisation '${name}'.`
  out.result(
    { id: String(id), name, cell: place.name },
    `The organisation ${name} is in the cell ${place.name}. ${next}`,
  )
}
