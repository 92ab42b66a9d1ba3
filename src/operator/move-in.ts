import { UsageError } from '../../ground/failure.ts'
import { type CheckedFolder, checkFolder } from '../bank/move-in/check-folder.ts'
import { findBankTime, type MoveInPlan, moveIn } from '../bank/move-in/move-in.ts'
import { clock } from '../base/clock.ts'
import { openProgress, type Progress } from '../base/progress.ts'
import { StartupError } from '../base/startup-error.ts'
import { counted } from '../base/text.ts'
import { findOwner, requireOwner, visitCell } from '../cells/visit.ts'
import { encryptionKeysOf } from '../secrets/secret-file.ts'
import type { OperatorCall, OperatorCommand } from './command.ts'

/** The number of faults that are printed; the others are counted. */
const PRINTED_FAULTS = 1_000

/** Imports the records of a former system from a folder: all of them, or none. */
export const importFolder: OperatorCommand = async (call) => {
  const { args, options, config, out, closers } = call
  const [folder = ''] = args
  const name = typeof options.organisation === 'string' ? options.organisation : undefined
  if (name === undefined) throw new UsageError('name the organisation that the records go to with --organisation')
  const settings = config()
  const progress = openProgress(`reading ${folder}`)
  const now = await timeOf(call, name)
  const checked = await readAll(call, { folder, mode: settings.mode, now }, progress).finally(progress.clear)
  if (checked.faults > 0) {
    out.result({ faults: checked.faults }, `${counted(checked.faults, 'fault')}: nothing was imported`)
    return 1
  }
  if (options.check === true) {
    const { rows, balance } = checked
    out.result({ faults: 0, ...rows, balance }, `no faults in ${sizeOf(checked)}: nothing was imported`)
    return 0
  }
  const { place, organisation } = await requireOwner(settings, name, closers)
  if (organisation.state !== null) throw new StartupError(`${name} is being moved to another cell: finish that first`)
  const plan: MoveInPlan = {
    ...{ folder, checked, organisation, routingNumber: settings.routingNumber },
    encryptionKeys: await encryptionKeysOf(settings),
    webhooks: options.webhooks === true,
    progress: (now) => progress.at(0, 1, now),
  }
  const rows = await visitCell(settings, place, (database) => moveIn(database, plan), closers).finally(progress.clear)
  if (!rows) {
    const known = `${name} has the records of these files already: nothing was done.`
    out.result({ organisation: name, state: 'known' }, known)
    return 0
  }
  if (out.forPeople) {
    await out.records(rows, { what: 'WHAT', files: 'FILES', bank: 'BANK' }, { right: ['files', 'bank'] })
  }
  out.result(
    { organisation: name, id: String(organisation.id), state: 'imported', figures: rows },
    `${name} has the records of ${folder}. purser organisations former-ids '${name}' lists their former ids.`,
  )
  return 0
}

/** The time of the organisation, which a sandbox may have advanced; the present if there is none yet. */
async function timeOf({ config, closers }: OperatorCall, name: string): Promise<string> {
  const settings = config()
  const owner = await findOwner(settings, name, closers)
  const present = clock.now().toISOString()
  if (!owner) return present
  const { place, organisation } = owner
  const found = await visitCell(settings, place, (database) => findBankTime(database, organisation.id), closers)
  return found ?? present
}

/** Reads all files, and prints their faults. */
async function readAll(
  { out }: Pick<OperatorCall, 'out'>,
  folder: Parameters<typeof checkFolder>[0],
  progress: Progress,
): Promise<CheckedFolder> {
  let printed = 0
  return checkFolder(folder, {
    say: (fault) => {
      progress.clear()
      if (printed++ >= PRINTED_FAULTS) return
      const place = fault.line > 0 ? `${fault.file}, line ${fault.line}` : fault.file
      out.result(fault, `${place}: ${fault.fault}`)
    },
    progress: (file, rows) => progress.at(0, 1, `${file}, ${rows} rows`),
  })
}

function sizeOf({ rows }: CheckedFolder): string {
  return counted(
    Object.values(rows).reduce((sum, count) => sum + count, 0),
    'row',
  )
}
