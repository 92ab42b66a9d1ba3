import { UsageError } from '../../ground/failure.ts'
import { jsonLine } from '../../ground/text.ts'
import { readFirstRows } from '../bank/first-states/first-states.ts'
import { verifyRecords } from '../bank/proof/verify-records.ts'
import { endOfMonth, monthOf } from '../base/calendar.ts'
import { clock } from '../base/clock.ts'
import { openProgress } from '../base/progress.ts'
import { counted } from '../base/text.ts'
import { visitCells } from '../cells/visit.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { MAX_NAMED, verifyChains } from '../events/chain/verify-chain.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { foundEncryptionKey } from '../secrets/secret-file.ts'
import type { OperatorCommand } from './command.ts'

/** How often the time of the present law is shown anew. */
const TICK_MS = 200

/** Checks the laws of the ledger and the chain of events; exit code 1 and the offending rows if one does not hold. */
export const verify: OperatorCommand = async ({ options, config, out, closers }) => {
  const since = typeof options.since === 'string' ? timeOf(options.since) : undefined
  const watch = watchLaws()
  let range = ''
  let checked = 0
  const say = (line: string) => (out.forPeople ? out.line(line) : out.note(line))
  const report = ({ law, rows }: Result, cell: { cell?: string }) => {
    watch.clear()
    if (!out.forPeople) out.record({ law, holds: rows.length === 0, rows, ...cell })
    else if (rows.length > 0) out.line([`broken: ${law}`, ...rows.map((row) => `  ${jsonLine(row)}`)].join('\n'))
  }
  const settings = config()
  const found = await visitCells(
    settings,
    async (database, { name }) => {
      const cell = settings.cells.length > 0 ? { cell: name } : {}
      if (cell.cell) say(`cell ${name}`)
      const laws = await verifyLedger(database, {
        ...(since && { since }),
        checking: watch.begin,
        checked: (law) => report(law, cell),
        counted: (transfers) => {
          checked += transfers
          range = ` for ${counted(checked, 'transfer')} since ${since}`
        },
      })
      watch.end()
      const chain = await checkChain(database, since, say)
      report(chain, cell)
      const records = await checkRecords(database, settings, say)
      report(records, cell)
      return [...laws, ...[chain, records].filter(({ rows }) => rows.length > 0)]
    },
    closers,
  ).finally(watch.end)
  const breaches = found.flat()
  const verdict =
    breaches.length === 0 ? `every law of the ledger holds${range}` : `laws broken${range}: ${breaches.length}`
  say(verdict)
  return breaches.length === 0 ? 0 : 1
}

interface Result {
  law: string
  rows: Record<string, unknown>[]
}

/** Walks the chains of hashes over the events, and says from which events on they hold. */
async function checkChain(database: Database, since: string | undefined, say: (line: string) => void): Promise<Result> {
  const progress = openProgress('walking the chain of events')
  const walked = verifyChains(database, { readRows: readFirstRows, progress: progress.at, ...(since && { since }) })
  const reports = await walked.finally(progress.clear)
  const held = reports.filter(({ from, breaches }) => from !== null && breaches.length === 0)
  const events = held.reduce((sum, { from, head }) => sum + head - (from ?? 0) + 1, 0)
  const later = held
    .filter(({ from }) => (from ?? 0) > 1)
    .map(({ organisationId, from }) => `${organisationId}: ${from}`)
  const begins = later.length > 0 ? `; first events if it is not 1: ${later.slice(0, MAX_NAMED).join(', ')}` : ''
  say(`the chain holds over ${counted(events, 'event')} of ${counted(held.length, 'organisation')}${begins}`)
  const rows = reports.flatMap(({ breaches }) => breaches.map((breach) => ({ ...breach })))
  return { law: 'events are as they were written, by their chain of hashes', rows }
}

/** Compares records with their events. The events of customers are sealed, so that the encryption key is needed. */
async function checkRecords(database: Database, settings: Config, say: (line: string) => void): Promise<Result> {
  const law = 'records are as their events show them'
  const { encryptionKey, newEncryptionKey, dataDir, keep, unit, kard } = settings
  const key = encryptionKey ?? (await foundEncryptionKey(dataDir))
  if (!key) {
    say('records were not compared with their events: set PURSER_ENCRYPTION_KEY')
    return { law, rows: [] }
  }
  const progress = openProgress('comparing records with their events')
  const breaches = await verifyRecords(database, {
    encryptionKeys: newEncryptionKey ? [key, newEncryptionKey] : [key],
    keepAnswersMs: keep.answersMs,
    connected: unit !== undefined || kard !== undefined,
    checking: (kind, done, of) => progress.at(done, of, kind),
  }).finally(progress.clear)
  return { law, rows: breaches.map((breach) => ({ ...breach })) }
}

/** Shows how many laws are checked, the present one, and how long it takes. */
function watchLaws(): { begin(law: string, done: number, of: number): void; clear(): void; end(): void } {
  const progress = openProgress('checking the laws of the ledger')
  let show: (() => void) | undefined
  const timer = setInterval(() => show?.(), TICK_MS)
  return {
    begin(law, done, of) {
      const startedMs = clock.elapsedMs()
      show = () => progress.at(done, of, `${((clock.elapsedMs() - startedMs) / 1_000).toFixed(0)} s on: ${law}`)
      show()
    },
    clear: () => progress.clear(),
    end() {
      clearInterval(timer)
      progress.clear()
    },
  }
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/

/** The time that a date names: the beginning of a day in UTC, or a time with its zone. */
function timeOf(text: string): string {
  const day = text.slice(0, 10)
  // JavaScript takes 30 February for 2 March.
  if (!DATE.test(text) || Number.isNaN(Date.parse(text)) || day > endOfMonth(monthOf(day)).slice(0, 10))
    throw new UsageError(`--since ${text} is no date: write 2026-01-31 or 2026-01-31T08:00:00Z`)
  return text === day ? `${day}T00:00:00.000Z` : text
}
