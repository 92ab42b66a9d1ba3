import { readFileSync } from 'node:fs'
import { UsageError } from '../../ground/failure.ts'
import { readFirstRows } from '../bank/first-states/first-states.ts'
import type { Closers } from '../base/closers.ts'
import { openProgress } from '../base/progress.ts'
import { StartupError } from '../base/startup-error.ts'
import { type CellPlace, cellsOf } from '../cells/settings.ts'
import type { Config } from '../config.ts'
import { visitDatabase } from '../database/visit.ts'
import { type NotedHead, type Proof, proveHeads } from '../events/chain/noted-heads.ts'
import type { OperatorCommand } from './command.ts'
import { placeOfRecord } from './place-of-record.ts'

/** Proves that noted heads are part of today's chain of events; exit code 1 if one is not. */
export const verifyHeads: OperatorCommand = async ({ options: given, config, out, closers }) => {
  const heads = typeof given.heads === 'string' ? headsIn(given.heads) : [headOf(given)]
  const progress = openProgress('walking the chain of events')
  const prove = async () => {
    const proofs: Proof[] = []
    for (const [place, own] of await headsByCell(config(), heads, closers)) {
      const options = { readRows: readFirstRows, progress: progress.at }
      proofs.push(...(await visitDatabase(place, (database) => proveHeads(database, own, options), closers)))
    }
    return proofs
  }
  const proofs = await prove().finally(progress.clear)
  for (const { organisationId, ...proof } of proofs) {
    const { sequence, proven, differsFrom, detail } = proof
    const verdict = proven ? 'is part of the chain' : `differs from event ${differsFrom} on`
    const text = `organisation ${organisationId}, head at event ${sequence}: ${verdict} (${detail})`
    out.result({ organisationId: String(organisationId), ...proof }, text)
  }
  return proofs.every(({ proven }) => proven) ? 0 : 1
}

/** The heads of each cell, by the organisations that are there. */
async function headsByCell(config: Config, heads: NotedHead[], closers: Closers): Promise<Map<CellPlace, NotedHead[]>> {
  const places = cellsOf(config)
  const found = new Map<CellPlace, NotedHead[]>()
  for (const id of new Set(heads.map(({ organisationId }) => organisationId))) {
    const { name } = await placeOfRecord(config, 'organisation', id, closers)
    const place = places.find((each) => each.name === name) ?? places[0]
    found.set(place, [...(found.get(place) ?? []), ...heads.filter(({ organisationId }) => organisationId === id)])
  }
  return found
}

/** Reads a file with one head, or with one on each line. */
function headsIn(path: string): NotedHead[] {
  const text = readText(path)
  const records = recordsIn(text, path)
  // An organisation without events has a head without a link, which proves nothing.
  const heads = records.filter(({ link }) => link !== null).map(headOf)
  if (heads.length === 0) throw new StartupError(`${path} holds no head`)
  return heads
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function recordsIn(text: string, path: string): Record<string, unknown>[] {
  const whole = parsed(text)
  const values = whole === undefined ? text.split('\n').filter((line) => line.trim() !== '') : [whole]
  return values.map((value, place) => {
    const record = dataOf(typeof value === 'string' ? parsed(value) : value)
    if (!record) throw new StartupError(`${path}: line ${place + 1} is not the JSON of a head`)
    return record
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The record in an answer, which has it in `data`, or the record itself. */
function dataOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { data = value } = value as { data?: unknown }
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined
}

function headOf({ organisationId, organisation = organisationId, sequence, link }: Record<string, unknown>): NotedHead {
  const [id, number] = [Number(organisation ?? Number.NaN), Number(sequence ?? Number.NaN)]
  const isWhole = Number.isSafeInteger(id) && Number.isSafeInteger(number) && number > 0
  if (!isWhole || typeof link !== 'string' || !/^[0-9a-f]{64}$/i.test(link)) {
    throw new UsageError(
      `a head has an organisation, a sequence number and a link of 64 hexadecimal digits: name a file with --heads, or give all three`,
    )
  }
  return { organisationId: id, sequence: number, link: link.toLowerCase() }
}
