import { basename } from 'node:path'
import { idNumber } from '../../base/ids.ts'
import { type CellPlace, cellsOf } from '../../config/cells.ts'
import type { Intake } from '../../providers/builtin/ach/incoming/take-file.ts'
import { readArguments, type Surroundings, UsageError } from '../command.ts'
import { placeOfRecord } from '../organisations/cells.ts'
import { visitBank, visitFileCells } from './bank.ts'
import { contentOf } from './content.ts'

/** Takes an ACH file. Exit code 1 where it is refused; a file that was taken before has no further effect. */
export function take(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  const { positionals, values } = readArguments(args, usage, {
    words: 1,
    options: { organisation: { type: 'string' } },
  })
  const [path = ''] = positionals
  const organisationId = values.organisation === undefined ? undefined : idNumber(String(values.organisation))
  if (organisationId === 0) throw new UsageError(`--organisation takes the id of an organisation\n${usage}`)
  return async (surroundings) => {
    const { config, out } = surroundings
    if (organisationId !== undefined && config().mode === 'live') {
      throw new UsageError('--organisation is for sandboxes: in live mode a file has entries of all organisations')
    }
    const bytes = await contentOf(path)
    const file = { name: basename(path), bytes, organisationId }
    const intake = await (config().mode === 'live'
      ? visitFileCells(surroundings, ({ builtin }, cells) => builtin.takeFile(file, cells))
      : visitBank(surroundings, await placeOf(surroundings, organisationId), ({ builtin }) => builtin.takeFile(file)))
    const { fileId, ...outcome } = intake
    out.result({ id: String(fileId), ...outcome }, textOf(intake))
    if (intake.state === 'refused') process.exitCode = 1
    // A later attempt succeeds.
    if (intake.state === 'waiting') process.exitCode = 5
  }
}

/** The cell of an organisation of a sandbox; the home cell without one. */
async function placeOf({ config, closers }: Surroundings, organisationId: number | undefined): Promise<CellPlace> {
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
