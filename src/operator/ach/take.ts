import { basename } from 'node:path'
import { exitCodes, UsageError } from '../../../ground/failure.ts'
import type { Intake } from '../../bank/ach/incoming/take-file.ts'
import { idNumber } from '../../base/ids.ts'
import { type CellPlace, cellsOf } from '../../cells/settings.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { placeOfRecord } from '../place-of-record.ts'
import { visitBank, visitOtherDatabases } from './bank.ts'
import { contentOf } from './content.ts'

/** Takes an ACH file. Exit code 1 if it is refused; a file that was taken before has no further effect. */
export const takeFile: OperatorCommand = async (call) => {
  const { args, options, config, out } = call
  const [path = ''] = args
  const organisationId = options.organisation === undefined ? undefined : idNumber(String(options.organisation))
  if (organisationId === 0) throw new UsageError('--organisation takes the id of an organisation')
  if (organisationId !== undefined && config().mode === 'live') {
    throw new UsageError('--organisation is for sandboxes: in live mode a file has entries of all organisations')
  }
  const bytes = await contentOf(path)
  const file = { name: basename(path), bytes, organisationId }
  const intake = await (config().mode === 'live'
    ? visitOtherDatabases(call, ({ builtin }, others) => builtin.takeFile(file, others))
    : visitBank(call, await placeOf(call, organisationId), ({ builtin }) => builtin.takeFile(file)))
  const { fileId, ...outcome } = intake
  out.result({ id: String(fileId), ...outcome }, textOf(intake))
  if (intake.state === 'refused') return exitCodes.refused
  // A later attempt succeeds.
  return intake.state === 'waiting' ? exitCodes.retry : 0
}

/** The cell of an organisation of a sandbox; the home cell without one. */
async function placeOf({ config, closers }: OperatorCall, organisationId: number | undefined): Promise<CellPlace> {
  const settings = config()
  if (organisationId === undefined) return cellsOf(settings)[0]
  return placeOfRecord(settings, 'organisation', organisationId, closers)
}

function textOf(intake: Intake): string {
  if (intake.state === 'refused') return `refused: ${intake.reason}`
  if (intake.state === 'waiting') {
    const cells = intake.awaited.map(({ cell, reason }) => `${cell} (${reason})`).join(', ')
    return `waiting: entries of file ${intake.fileId} wait for the cells ${cells}; take it again later`
  }
  return `${intake.state}: file ${intake.fileId}, ${intake.entries} entries, ${intake.exceptions} exceptions`
}
