import { join } from 'node:path'
import { requireIntended } from '../cells/claim.ts'
import { cellsOf } from '../cells/settings.ts'
import { visitCell, visitCells } from '../cells/visit.ts'
import { grantService } from '../database/grants.ts'
import { migrate as applyMigrations } from '../database/migrate.ts'
import type { OperatorCommand } from './command.ts'

/** Applies the migrations as the owner of the tables, and lets the role of the service work on them. */
export const migrate: OperatorCommand = async ({ options, config, root, out, closers }) => {
  const { serviceRole: role } = options as { serviceRole?: string }
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
