import { resolve } from 'node:path'
import { clock } from '../../base/clock.ts'
import { type OperatorCommand, readArguments, type Surroundings, UsageError } from '../command.ts'
import { withAllCells } from '../organisations/cells.ts'
import { checkArchive, type Manifest } from './manifest.ts'
import { writeArchive } from './write-archive.ts'

const USAGE = `usage:
purser archive --before DATE --to FOLDER
purser archive --check FOLDER`

/** Writes events and transfers to files, or checks such files. Exit code 1 where a file was changed. */
export const archive: OperatorCommand = (args) => {
  const option = { type: 'string' } as const
  const { before, to, check } = readArguments(args, USAGE, { options: { before: option, to: option, check: option } })
    .values as Record<string, string | undefined>
  if (check !== undefined && before === undefined && to === undefined)
    return (surroundings) => proof(surroundings, check)
  if (before === undefined || to === undefined || check !== undefined) throw new UsageError(USAGE)
  const instant = instantOf(before)
  return async ({ config, out, closers }) => {
    const folder = resolve(to)
    const manifest = await withAllCells(
      config(),
      (databases) =>
        writeArchive({
          databases,
          folder,
          before: instant,
          written: ({ name, count }) => out.note(`${name}: ${count} lines`),
        }),
      closers,
    )
    out.result(summaryOf(folder, manifest), `${totalOf(manifest)} lines in ${manifest.files.length} files: ${folder}`)
  }
}

async function proof({ out }: Surroundings, folder: string): Promise<void> {
  const { manifest, faults } = await checkArchive(folder)
  const verdict = faults.length === 0 ? `every file is as it was written: ${folder}` : faults.join('\n')
  out.result({ ...summaryOf(folder, manifest), faults }, verdict)
  if (faults.length > 0) process.exitCode = 1
}

function summaryOf(folder: string, manifest: Manifest) {
  const { before, complete, files } = manifest
  return { folder, before, complete, files: files.length, lines: totalOf(manifest) }
}

function totalOf({ files }: Manifest): number {
  return files.reduce((sum, { count }) => sum + count, 0)
}

/** A day or a time of the past: what happens later could still come before a time of the future. */
function instantOf(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text)
  const ms = isTime ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new UsageError(`--before takes a date such as 2026-01-31\n${USAGE}`)
  if (ms > clock.nowMs()) throw new UsageError('--before takes a date of the past')
  return text.includes('T') ? text : `${text}T00:00:00.000Z`
}
