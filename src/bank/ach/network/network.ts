import { inSlices } from '../../../base/pace.ts'
import { readingOf } from '../../../rails/ach/read-file.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import type { DueRun, Forecast, Timer } from '../../time/due.ts'
import type { RailBank } from '../build-file.ts'
import { takeHeldFile } from '../incoming/take-file.ts'
import { type Answer, answersOf } from './answers.ts'
import { mayBeAnswered } from './behaviour.ts'
import {
  changedBy,
  type FileToAnswer,
  fileToAnswer,
  nextToAnswer,
  noteAnswered,
  upcomingAnswers,
} from './network.sql.ts'

/** Files that are answered at a time. */
const FILES = 20

/**
 * Due work of the other banks of a sandbox: they read the bytes of a delivered file and answer with files, which are
 * taken in as any other.
 */
export function networkTimerOf(bank: RailBank): Timer {
  return async (organisationId) => {
    const [first] = await nextToAnswer(bank.database, organisationId, 1)
    return first && { at: first.at, run: (run) => answerUntil(bank, organisationId, first.at, run) }
  }
}

/** The answers that come next. */
export function networkForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await upcomingAnswers(database, organisationId, limit)).map(({ id, at }) => ({
      at,
      type: 'achFile.answered',
      id: String(id),
    }))
}

async function answerUntil(bank: RailBank, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const due = (await nextToAnswer(bank.database, organisationId, FILES)).filter(({ at }) => at <= until)
    for (const file of due) await answerFile(bank, organisationId, file, run)
    if (due.length < FILES) return
  }
}

/**
 * Takes the answers that are due, and notes when the next ones are. Answers follow from the bytes of the file, so that a
 * process that was killed in between takes the same bytes again, which have one effect.
 */
async function answerFile(bank: RailBank, organisationId: number, file: FileToAnswer, run: DueRun): Promise<void> {
  const { database } = bank
  const answers = await readAnswers(bank, file.id)
  for (const { name, bytes } of answers.filter(({ at }) => at === file.at)) {
    const { fileId } = await takeHeldFile(bank, { organisationId, name, bytes })
    for (const { type, id } of await changedBy(database, fileId)) run.happened({ at: file.at, type, id: String(id) })
  }
  const next = answers.find(({ at }) => at > file.at)
  await noteAnswered(database, file, next?.at ?? null)
}

async function readAnswers(bank: RailBank, fileId: number): Promise<Answer[]> {
  const { database, seals, routingNumber } = bank
  const file = await fileToAnswer(database, fileId)
  if (!file) return []
  const seal = await seals.of(file.keyOrganisationId)
  const bytes = seal.unseal(file.sealedContent, { table: 'ach_file', row: fileId, column: 'sealed_content' })
  if (!mayBeAnswered(bytes)) return []
  const { file: read, faults } = await inSlices(readingOf(bytes, { sameDayLimit: Number.MAX_SAFE_INTEGER }))
  if (!read) throw new Error(`ACH file ${fileId} has ${faults.length} faults`)
  return answersOf(read, { fileId, routingNumber, rejected: new Set(file.rejected) })
}
