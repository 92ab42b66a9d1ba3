import { resolve } from 'node:path'
import { UsageError } from '../../../ground/failure.ts'
import { clock } from '../../base/clock.ts'
import { withAllCells } from '../../cells/visit.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { checkArchive, type Manifest } from './manifest.ts'
import { writeArchive } from './write-archive.ts'

/** Writes events and transfers to files, or checks such files. Exit code 1 if a file was changed. */
export const archive: OperatorCommand = async (call) => {
  const { options, config, out, closers } = call
  const { before, to, check } = options as Record<string, string | undefined>
  if (check !== undefined && before === undefined && to === undefined) return proof(call, check)
  if (before === undefined || to === undefined || check !== undefined) {
    throw new UsageError('an archive needs --before and --to; --check stands alone')
  }
  const instant = instantOf(before)
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
  return 0
}

async function proof({ out }: OperatorCall, folder: string): Promise<number> {
  const { manifest, faults } = await checkArchive(folder)
  const verdict = faults.length === 0 ? `every file is as it was written: ${folder}` : faults.join('\n')
  out.result({ ...summaryOf(folder, manifest), faults }, verdict)
  return faults.length > 0 ? 1 : 0
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
  if (Number.isNaN(ms)) throw new UsageError('--before takes a date such as 2026-01-31')
  if (ms > clock.nowMs()) throw new UsageError('--before takes a date of the past')
  return text.includes('T') ? text : `${text}T00:00:00.000Z`
}
