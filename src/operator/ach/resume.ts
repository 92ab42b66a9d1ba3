import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { counted } from '../../base/text.ts'
import { type CellPlace, cellsOf } from '../../config/cells.ts'
import type { HeldRail, JournalLine } from '../../providers/builtin/ach/witness/resume.ts'
import { readSent, type SentFile } from '../../providers/builtin/ach/witness/sent-file.ts'
import { RailHeld } from '../../providers/builtin/ach/witness/witness.ts'
import { type Surroundings, UsageError } from '../command.ts'
import { visitOthers } from '../organisations/cells.ts'
import { actAsMover, endMoved, findEnded } from '../organisations/move/state.sql.ts'
import { dollars } from '../table.ts'
import { visitBank } from './bank.ts'
import { contentOf } from './content.ts'

/** The options of the command: files by their paths or names. */
interface Said {
  alreadySent: string[]
  notSent: string[]
  trustDatabase: boolean
}

/** Shows why ACH is held and what would leave; with decisions about all files, opens it again. */
export function resume(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  const said = read(args, usage)
  return async (surroundings) => {
    const settings = surroundings.config()
    const { ach, mode } = settings
    if (ach === 'instant' || mode === 'sandbox') {
      const detail = 'nothing is held: only files of a live bank with PURSER_ACH=windows can be'
      return surroundings.out.result({ held: false }, detail)
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
      const state = await visitBank(surroundings, place, ({ builtin }) => builtin.rail.held())
      if (!state) {
        surroundings.out.result({ cell: place.name, held: false }, `${label}ACH is open: files leave at their cut-offs`)
      } else if (!isDecided) {
        held++
        show(surroundings, place, state, label)
      } else await open(surroundings, place, { sent, names, said, label })
    }
    if (held > 0) process.exitCode = 1
  }
}

function read(args: string[], usage: string): Said {
  const list = { type: 'string', multiple: true } as const
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...{ json: { type: 'boolean' }, 'trust-database': { type: 'boolean' } },
        ...{ 'already-sent': list, 'not-sent': list },
      },
    })
    const { 'already-sent': sent = [], 'not-sent': notSent = [], 'trust-database': trustDatabase = false } = values
    // `--already-sent *.ach` is a list of words behind the first one.
    if (positionals.length > 0 && sent.length === 0) throw new UsageError(usage)
    return { alreadySent: [...sent, ...positionals], notSent: notSent.map((name) => basename(name)), trustDatabase }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${(error as Error).message}\n${usage}`)
  }
}

function show({ out }: Surroundings, { name }: CellPlace, held: HeldRail, label: string): void {
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
    `  ${counted(waiting.count, 'payment')} of $${dollars(waiting.amount)} would leave; ${waiting.known} of them have the cut-offs of the files above`,
  ]
  out.result(record, lines.join('\n'))
}

function shown(line: JournalLine): string {
  if ('movesTo' in line) return `organisation ${line.organisation}, which moved to the cell ${line.movesTo}`
  if ('begins' in line) return `the beginning of a journal, ${line.begins}`
  const { file, entries, credits, debits, windowAt } = line
  return `${file}, ${entries} entries of $${dollars(credits + debits)}, cut-off ${windowAt}`
}

interface Opening {
  sent: SentFile[]
  names: string[]
  said: Said
  label: string
}

async function open(surroundings: Surroundings, place: CellPlace, opening: Opening): Promise<void> {
  const { out, closers, config } = surroundings
  const settings = config()
  const { sent, names, said, label } = opening
  const { files, lost } = await visitBank(surroundings, place, async ({ builtin, database }) => {
    const isElsewhere = async (id: number) => {
      const ended = await visitOthers(settings, place, async (there) => (await findEnded(there, id))?.ended, closers)
      return ended.includes(false)
    }
    return builtin.rail.resume({
      ...{ sent, sentNames: names, notSent: said.notSent, trustDatabase: said.trustDatabase, isElsewhere },
      endMoved: (id) =>
        database.transaction(async (transaction) => {
          await actAsMover(transaction)
          await endMoved(transaction, id)
        }),
    })
  })
  const exceptions = lost > 0 ? `; ${counted(lost, 'exception')}: \`purser ach exceptions\` lists them` : ''
  out.result(
    { cell: place.name, held: false, files, lost },
    `${label}ACH is open again: ${counted(files, 'file')} that left ${files === 1 ? 'is' : 'are'} known${exceptions}`,
  )
}
