import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from '../../../ground/failure.ts'
import { dollars } from '../../../ground/text.ts'
import type { HeldRail, JournalLine } from '../../bank/ach/witness/resume.ts'
import { readSent, type SentFile } from '../../bank/ach/witness/sent-file.ts'
import { RailHeld } from '../../bank/ach/witness/witness.ts'
import { counted } from '../../base/text.ts'
import { endMoved, isElsewhere } from '../../cells/move/ended.ts'
import { type CellPlace, cellsOf } from '../../cells/settings.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { visitBank } from './bank.ts'
import { contentOf } from './content.ts'

/** The options of the command: files by their paths or names. */
interface Said {
  alreadySent: string[]
  notSent: string[]
  trustDatabase: boolean
}

/** Shows why ACH is held and what would leave; with decisions about all files, opens it again. */
export const resume: OperatorCommand = async (call) => {
  const { config, out } = call
  const said = saidIn(call)
  const settings = config()
  const { ach, mode } = settings
  if (ach === 'instant' || mode === 'sandbox') {
    const detail = 'nothing is held: only files of a live bank with PURSER_ACH=windows can be'
    out.result({ held: false }, detail)
    return 0
  }
  const sent: SentFile[] = []
  const names: string[] = []
  for (const path of said.alreadySent) {
    if (existsSync(path)) sent.push(readSent(await contentOf(path), { ach }, path))
    else names.push(basename(path))
  }
  const isDecided = said.alreadySent.length + said.notSent.length > 0 || said.trustDatabase
  let held = 0
  for (const place of cellsOf(settings)) {
    const label = settings.cells.length > 0 ? `cell ${place.name}: ` : ''
    const state = await visitBank(call, place, ({ builtin }) => builtin.rail.held())
    if (!state) {
      out.result({ cell: place.name, held: false }, `${label}ACH is open: files leave at their cut-offs`)
    } else if (!isDecided) {
      held++
      show(call, place, state, label)
    } else await open(call, place, { sent, names, said, label })
  }
  return held > 0 ? 1 : 0
}

function saidIn({ args, options }: OperatorCall): Said {
  const { alreadySent = [], notSent = [] } = options as Record<string, string[] | undefined>
  // `--already-sent *.ach` is a list of words behind the first one.
  if (args.length > 0 && alreadySent.length === 0) throw new UsageError('name files that left with --already-sent')
  return {
    alreadySent: [...alreadySent, ...args],
    notSent: notSent.map((name) => basename(name)),
    trustDatabase: options.trustDatabase === true,
  }
}

function show({ out }: OperatorCall, { name }: CellPlace, held: HeldRail, label: string): void {
  const { reason, ahead, behind, waiting } = held
  const said = new RailHeld(reason).message
  const record = {
    ...{ cell: name, held: true, reason },
    ahead: ahead.map(({ text, ...line }) => line),
    behind: behind.map(({ text, ...line }) => line),
    waiting,
  }
  const lines = [
    `${label}${said}`,
    ...ahead.map((line) => `  left, and unknown to the database: ${shown(line)}`),
    ...behind.map((line) => `  unknown to the folder: ${shown(line)}`),
    `  ${counted(waiting.count, 'payment')} of ${dollars(waiting.amount)} would leave; ${waiting.known} of them have the cut-offs of the files above`,
  ]
  out.result(record, lines.join('\n'))
}

function shown(line: JournalLine): string {
  if ('movesTo' in line) return `organisation ${line.organisation}, which moved to the cell ${line.movesTo}`
  if ('begins' in line) return `the beginning of a journal, ${line.begins}`
  const { file, entries, credits, debits, windowAt } = line
  return `${file}, ${entries} entries of ${dollars(credits + debits)}, cut-off ${windowAt}`
}

interface Opening {
  sent: SentFile[]
  names: string[]
  said: Said
  label: string
}

async function open(call: OperatorCall, place: CellPlace, opening: Opening): Promise<void> {
  const { out, closers, config } = call
  const settings = config()
  const { sent, names, said, label } = opening
  const { files, lost } = await visitBank(call, place, async ({ builtin, database }) => {
    return builtin.rail.resume({
      ...{ sent, sentNames: names, notSent: said.notSent, trustDatabase: said.trustDatabase },
      isElsewhere: (id) => isElsewhere(settings, place, id, closers),
      endMoved: (id) => endMoved(database, id),
    })
  })
  const exceptions = lost > 0 ? `; ${counted(lost, 'exception')}: \`purser ach exceptions\` lists them` : ''
  out.result(
    { cell: place.name, held: false, files, lost },
    `${label}ACH is open again: ${counted(files, 'file')} that left ${files === 1 ? 'is' : 'are'} known${exceptions}`,
  )
}
