import { ENDED, repeat } from '../base/repeat.ts'
import { moveCopies } from '../providers/builtin/first-states/move-copies.ts'
import { retireOrganisations, sweepOrganisations } from '../providers/builtin/organisations/sweep.ts'
import { openRetention } from '../retention/retention.ts'
import type { Cell, CellParts } from './cell.ts'

interface Work extends Pick<Cell, 'denials' | 'keys' | 'worker'> {
  /** Whether requests make organisations, which end when they are not used. */
  retires: boolean
  failed(error: Error): void
}

/** Starts what runs beside requests, in every process and for every cell. */
export function startWork(parts: CellParts, { denials, keys, worker, retires, failed }: Work): void {
  const { core, settings, log, metrics, connectors } = parts
  const { database, builtin, closers } = core
  closers.add(repeat(() => builtin.catchUp(log), 1_000, failed))
  closers.add(repeat(() => builtin.moveFiles(log), 1_000, failed))
  // The files of a live bank are taken by its home cell, those of a sandbox by the cell of their organisation.
  const takesFiles = parts.place === 0 || settings.mode === 'sandbox'
  if (takesFiles) closers.add(repeat(() => builtin.takeFiles(log, parts.fileCells?.()), 1_000, failed))
  closers.add(repeat(() => builtin.sendReturns(), 1_000, failed))
  if (connectors?.catchUp) closers.add(repeat(connectors.catchUp, 1_000, failed))
  for (const task of [denials.save, core.reseal]) closers.add(repeat(task, 1_000, failed))
  closers.add(repeat(async () => (await moveCopies(database, core.seals)) && ENDED, 1_000, failed))
  closers.add(repeat(() => sweepOrganisations(core), 1_000, failed))
  if (retires) closers.add(repeat(() => retireOrganisations(database), 60_000, failed))
  closers.add(repeat(keys.saveUses, 60_000, failed))
  const { prune } = openRetention({ database, keep: settings.keep, failed, observe: metrics?.retention })
  closers.add(repeat(prune, 1_000, failed))
  if (connectors?.stop) closers.add(connectors.stop)
  worker.start()
}
