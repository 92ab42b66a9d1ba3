import { join } from 'node:path'
import { cellsOf } from '../config/cells.ts'
import { requireIntended } from '../database/cells/claim.ts'
import { grantService } from '../database/grants.ts'
import { migrate as applyMigrations } from '../database/migrate.ts'
import { type OperatorCommand, readArguments } from './command.ts'
import { visitCell, visitCells } from './organisations/cells.ts'

const USAGE = 'usage: purser migrate [--service-role NAME]'

/** Applies the migrations as the owner of the tables, and lets the role of the service work on them. */
export const migrate: OperatorCommand = (args) => {
  const { values } = readArguments(args, USAGE, { options: { 'service-role': { type: 'string' } } })
  const role = values['service-role'] as string | undefined
  return async ({ config, root, out, closers }) => {
    const settings = config()
    const [home] = cellsOf(settings)
    const counts = await visitCells(
      settings,
      async (database, place) => {
        if (place.name !== home.name) {
          const cell = { ...place, database }
          await visitCell(settings, home, (ownHome) => requireIntended(ownHome, cell), closers)
        }
        const count = await applyMigrations(database, join(root, 'migrations'))
        if (role !== undefined) await grantService(database, role)
        return count
      },
      closers,
    )
    const applied = counts.reduce((sum, count) => sum + count, 0)
    const granted = role === undefined ? '' : `; ${role} may use the tables`
    out.result({ applied, serviceRole: role ?? null }, `migrations applied: ${applied}${granted}`)
  }
}
