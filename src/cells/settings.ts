import { databaseUrl, standbyUrl } from '../config/kinds.ts'
import { CELL_PREFIX, READ_PREFIX, type Reader } from '../config/reader.ts'
import type { AchSettings } from '../rails/ach/settings.ts'
import { MAX_WINDOWS, SHARES } from '../rails/ach/shares.ts'

/** The name of the cell of DATABASE_URL, or of the embedded server. */
export const HOME = 'home'

/** A further cell: the database of some organisations. */
export interface CellSettings {
  /** In lower case. */
  name: string
  /** The variable that names it, for messages. */
  setting: string
  databaseUrl: string
  /** Its standby, which may answer reads. */
  readUrl: string | undefined
}

/** A cell and the place of its database. */
export interface CellPlace {
  name: string
  setting: string
  /** Absent if the home cell is the embedded server. */
  databaseUrl: string | undefined
  /** Its standby, which may answer reads. */
  readUrl: string | undefined
  dataDir: string
}

/** Ids have room for this many ranges beside the home cell's. */
const MAX_CELLS = 63
const NAME = /^[A-Za-z0-9][A-Za-z0-9_]{0,31}$/

/** Reads the variables `PURSER_CELL_<NAME>`, in the order of their names. */
export function cellConfig(reader: Reader, home: string | undefined): CellSettings[] {
  const cells = reader.beginningWith(CELL_PREFIX).flatMap((setting): CellSettings[] => {
    const text = setting.slice(CELL_PREFIX.length)
    const name = text.toLowerCase()
    if (!NAME.test(text)) {
      reader.fault(`${setting} must end with a name of 1 to 32 letters, digits and _, which begins with no _`)
      return []
    }
    if (name === HOME) {
      reader.fault(`${setting} is the name of the cell of DATABASE_URL: choose another one`)
      return []
    }
    const url = reader.optional(setting, databaseUrl)
    const readUrl = reader.optional(READ_PREFIX + text, standbyUrl)
    return url === undefined ? [] : [{ name, setting, databaseUrl: url, readUrl }]
  })
  for (const setting of reader.beginningWith(READ_PREFIX)) {
    const cell = CELL_PREFIX + setting.slice(READ_PREFIX.length)
    if (!reader.has(cell)) reader.fault(`${setting} names the standby of a cell that is not set: ${cell}`)
  }
  if (cells.length > MAX_CELLS) reader.fault(`there may be up to ${MAX_CELLS} variables PURSER_CELL_<NAME>`)
  const [first] = cells
  if (first && !reader.has('PURSER_ENCRYPTION_KEY')) {
    reader.fault(`PURSER_ENCRYPTION_KEY is required with ${first.setting}: make one with \`openssl rand -base64 32\``)
  }
  refuseRepeated(reader, cells, home)
  return cells
}

/** The cells of a live bank share the 36 file id modifiers of a day. */
export function refuseManyFiles(
  reader: Reader,
  cells: CellSettings[],
  { windows }: Pick<AchSettings, 'windows'>,
): void {
  if (cells.length >= SHARES) {
    reader.fault(
      `there may be up to ${SHARES - 1} variables PURSER_CELL_<NAME> with PURSER_ACH=windows in live mode: the cells share the 36 ACH files of a day`,
    )
  }
  if (windows.length > MAX_WINDOWS) {
    reader.fault(
      `PURSER_ACH_WINDOWS may have up to ${MAX_WINDOWS} cut-offs with ${cells[0]?.setting}: the cells share the 36 ACH files of a day`,
    )
  }
}

/** One database by two addresses is found later, by the row that says which cell it is. */
function refuseRepeated(reader: Reader, cells: CellSettings[], homeUrl: string | undefined): void {
  const home = { name: HOME, setting: 'DATABASE_URL', databaseUrl: homeUrl }
  for (const [place, cell] of cells.entries()) {
    const before = [home, ...cells.slice(0, place)]
    const sameName = before.find(({ name }) => name === cell.name)
    if (sameName) reader.fault(`${sameName.setting} and ${cell.setting} are one name: case makes no difference`)
    const sameUrl = before.find((each) => each.databaseUrl === cell.databaseUrl)
    if (sameUrl) reader.fault(`${sameUrl.setting} and ${cell.setting} name the same database`)
  }
}

/** All cells, the home cell first. */
export function cellsOf({
  databaseUrl,
  readUrl,
  dataDir,
  cells,
}: {
  databaseUrl: string | undefined
  readUrl: string | undefined
  dataDir: string
  cells: CellSettings[]
}): [CellPlace, ...CellPlace[]] {
  const home = { name: HOME, setting: 'DATABASE_URL', databaseUrl, readUrl, dataDir }
  return [home, ...cells.map((cell) => ({ ...cell, dataDir }))]
}
