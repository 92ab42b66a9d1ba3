import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from '../../../ground/failure.ts'
import { dollars } from '../../../ground/text.ts'
import type { HeldRail, JournalLine } from '../../bank/ach/witness/resume.ts'
import { readSent, type SentFile } from '../../bank/ach/witness/sent-file.ts'
import { RailHeld } from '../../bank/ach/witness/witness.ts'
import { isRailPermitted } from '../../bank/proposals/proposals.ts'
import { sha256 } from '../../base/sha256.ts'
import { counted } from '../../base/text.ts'
import { endMoved, isElsewhere } from '../../cells/move/ended.ts'
import { type CellPlace, cellsOf } from '../../cells/settings.ts'
import type { RailResumePermit } from '../../review/proposals/permit-rail-resume.ts'
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
  if (isDecided && settings.signatures?.from.railResume !== undefined) {
    const permit = await lackingPermit(call, { sent, names, said })
    if (permit) {
      out.result({ held: true, permit }, unpermitted(permit))
      return 1
    }
  }
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

type Decided = Pick<Opening, 'sent' | 'names' | 'said'>

/** The decisions about what is held, if two persons have not permitted them; undefined if they have, or nothing is held. */
async function lackingPermit(call: OperatorCall, decided: Decided): Promise<RailResumePermit | undefined> {
  const places = cellsOf(call.config())
  const held: unknown[] = []
  for (const place of places) {
    const state = await visitBank(call, place, ({ builtin }) => builtin.rail.held())
    if (!state) continue
    const { reason, ahead, behind } = state
    held.push([place.name, reason, ...[ahead, behind].map((lines) => lines.map(({ text }) => text))])
  }
  if (held.length === 0) return undefined
  const permit = permitOf(decided, held)
  const [home] = places
  const isPermitted = await visitBank(call, home, ({ database }) => isRailPermitted(database, permit))
  return isPermitted ? undefined : permit
}

function permitOf({ sent, names, said: { notSent, trustDatabase } }: Decided, held: unknown[]): RailResumePermit {
  const decisions = [
    ...[...sent.map(({ name }) => name), ...names].map((name) => `${name} left`),
    ...notSent.map((name) => `${name} did not leave`),
    ...(trustDatabase ? ['all other files left that the database has delivered'] : []),
  ].sort()
  const files = sent.map(({ name, sha256: digest }) => [name, digest.toString('hex')]).sort()
  return { decisions, digest: sha256(JSON.stringify([decisions, files, held])).toString('hex') }
}

function unpermitted(permit: RailResumePermit): string {
  return [
    'ACH stays held: PURSER_TWO_SIGNATURES asks two persons for this.',
    'One of the first organisation sends this with a reason to POST /v0/permits/rail-resume, another one approves the proposal;',
    'then run this command again:',
    JSON.stringify(permit),
  ].join('\n')
}

function saidIn({ args, options }: OperatorCall): Said {
  const { alreadySent = [], notSent = [] } = options as Record<string, string[] | undefined>
  // `--already-sent *.ach` is a list of words after the first one.
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
