import { exitCodes } from '../../../ground/failure.ts'
import type { OperatorCommand } from '../../operator/command.ts'
import { listOwned, type OrganisationRow } from '../move/state.sql.ts'
import { ofOwners, visitCells } from '../visit.ts'

const headings = { name: 'NAME', cell: 'CELL', state: 'STATE', accounts: 'ACCOUNTS', events: 'EVENTS', id: 'ID' }

/** Lists the organisations of all cells, each in the cell that owns it. */
export const listOrganisations: OperatorCommand = async ({ config, out, closers }) => {
  const settings = config()
  let code = 0
  const found = await visitCells(
    settings,
    async (database, { name: cell }) => (await listOwned(database)).map((row) => ({ ...row, cell })),
    closers,
    // The other cells are listed all the same.
    (error) => {
      out.note(`${error.message}. Its organisations are not listed`)
      code = exitCodes.retry
    },
  )
  await out.records(
    ofOwners(found.flat()).map((row) => ({
      name: row.name,
      cell: row.cell,
      state: stateOf(row),
      accounts: row.accounts,
      events: row.events,
      id: String(row.id),
    })),
    headings,
  )
  return code
}

function stateOf({ state, to, idle }: OrganisationRow): string {
  if (state === 'copying') return `moving to ${to}`
  if (state !== null) return `paused, moving to ${to}`
  return idle ? 'idle' : 'active'
}
