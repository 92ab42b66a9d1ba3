import type { Closers } from '../base/closers.ts'
import type { CellPlace } from '../cells/settings.ts'
import { placeWith } from '../cells/visit.ts'
import type { Config } from '../config.ts'
import { hasRecord, type RecordKind } from './records.sql.ts'

/** The database that has a record; that of the home cell if none has. */
export function placeOfRecord(config: Config, kind: RecordKind, id: number, closers: Closers): Promise<CellPlace> {
  return placeWith(config, (database) => hasRecord(database, kind, id), closers)
}
