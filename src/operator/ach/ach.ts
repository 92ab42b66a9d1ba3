import { idNumber } from '../../base/ids.ts'
import type { CellPlace } from '../../config/cells.ts'
import type { Database } from '../../database/database.ts'
import { visitDatabase } from '../../database/visit.ts'
import { type OperatorCommand, readArguments, type Surroundings, UsageError } from '../command.ts'
import { placeOfOrganisation, placeOfRecord } from '../organisations/cells.ts'
import { check } from './check.ts'
import { setCompany } from './company.ts'
import { exceptions } from './exceptions.ts'
import { listFiles, moveFileBy, rejectFile, showFile } from './files.ts'
import { reconcile } from './reconcile.ts'
import { resolve } from './resolve.ts'
import { resume } from './resume.ts'
import { take } from './take.ts'

const USAGE = `usage:
purser ach check FILE
purser ach take FILE [--organisation ID]
purser ach exceptions
purser ach resolve ID --reason TEXT [--account ID | --write-off]
purser ach reconcile DATE [--statement CENTS]
purser ach list [--state STATE]
purser ach show ID [--content]
purser ach deliver ID
purser ach delivered ID
purser ach acknowledge ID
purser ach reject ID [--batch NUMBER]
purser ach resume [--already-sent FILE…] [--not-sent NAME…] [--trust-database]
purser ach company --organisation NAME [--name NAME] [--id ID]`

/** Work on the database of a service, which may run or not. */
export type AchWork = (database: Database, surroundings: Surroundings, place: CellPlace) => Promise<void>

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Checks ACH files, and works with those of the bank. */
export const ach: OperatorCommand = ([command = '', ...args]) => {
  if (command === 'check') return check(args, USAGE)
  if (command === 'take') return take(args, USAGE)
  if (command === 'exceptions') return exceptions(args, USAGE)
  if (command === 'resolve') return resolve(args, USAGE)
  if (command === 'resume') return resume(args, USAGE)
  if (command === 'reconcile') return reconcile(args, USAGE)
  if (command === 'list') {
    const { state } = readArguments(args, USAGE, { options: { state: text } }).values
    return listFiles(typeof state === 'string' ? state : undefined)
  }
  const { work, fileId, organisation } = wanted(command, args)
  return async (surroundings) => {
    const { config, closers } = surroundings
    const settings = config()
    const place =
      organisation === undefined
        ? await placeOfRecord(settings, 'achFile', idNumber(fileId), closers)
        : await placeOfOrganisation(settings, organisation, closers)
    await visitDatabase(place, (database) => work(database, surroundings, place), closers)
  }
}

/** Work in the cell of a file or of an organisation. */
interface Wanted {
  work: AchWork
  fileId: string
  organisation?: string | undefined
}

function wanted(command: string, args: string[]): Wanted {
  const read = (words: number, options: NonNullable<Parameters<typeof readArguments>[2]>['options'] = {}) => {
    const { positionals, values } = readArguments(args, USAGE, { words, options })
    return { id: positionals[0] ?? '', values: values as Record<string, string | undefined> }
  }
  if (command === 'show') {
    const { id, values } = read(1, { content: flag })
    return { work: showFile(id, Boolean(values.content)), fileId: id }
  }
  if (command === 'deliver' || command === 'delivered' || command === 'acknowledge') {
    const { id } = read(1)
    return { work: moveFileBy(command, id), fileId: id }
  }
  if (command === 'reject') {
    const { id, values } = read(1, { batch: text })
    return { work: rejectFile(id, values.batch), fileId: id }
  }
  if (command === 'company') {
    const { values } = read(0, { organisation: text, name: text, id: text })
    return { work: setCompany(values), fileId: '', organisation: values.organisation }
  }
  throw new UsageError(USAGE)
}
