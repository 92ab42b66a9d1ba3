// The plain way: the driver's own query, which has PostgreSQL describe the columns with every execution.
// What it cost: 9 % of the service's time for a read.
// The test that compares: prepared.test.ts, in both modes of the driver. It uses undocumented methods of the driver,
// whose version is therefore pinned.
import pg from 'pg'

/** Runs a statement that is prepared on its connection at its first use; its columns are described only then. */
export function runPrepared<Row>(client: pg.ClientBase, name: string, text: string, values: unknown[]): Promise<Row[]> {
  return new Promise<Row[]>((resolve, reject) => {
    const done = (error: unknown, rows: unknown[]) => (error ? reject(error) : resolve(rows as Row[]))
    client.query(new PreparedQuery(name, text, values, done) as unknown as pg.Submittable)
  })
}

type Parse = (text: string) => unknown

/** Makes a row of a statement from the texts of its columns. */
type RowReader = (texts: (string | null)[]) => unknown

interface Field {
  name: string
  dataTypeID: number
  format: string
}

/** The parts of the driver's query that are used here. */
interface DriverQuery {
  name: string
  callback: (error: unknown, rows: unknown[]) => void
  _result: { _types: { getTypeParser(oid: number, format: string): Parse } }
  prepare(connection: DriverConnection): void
  handleError(error: unknown, connection: DriverConnection): void
}
type DriverConnection = { describe(): void }

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[]) => DriverQuery

/** The statements of a connection whose columns were described, and the connection without the request for that. */
interface Described {
  readers: Map<string, RowReader>
  silent: DriverConnection
}

const describedOn = new WeakMap<DriverConnection, Described>()

function describedBy(connection: DriverConnection): Described {
  let described = describedOn.get(connection)
  if (!described) {
    const silent: DriverConnection = Object.create(connection)
    silent.describe = () => undefined
    described = { readers: new Map(), silent }
    describedOn.set(connection, described)
  }
  return described
}

class PreparedQuery extends DriverQuery {
  #readers: Map<string, RowReader> | undefined
  #read: RowReader | undefined
  #rows: unknown[] = []
  #unreadable: unknown

  constructor(name: string, text: string, values: unknown[], callback: DriverQuery['callback']) {
    super(text, values)
    this.name = name
    this.callback = callback
  }

  override prepare(connection: DriverConnection): void {
    const { readers, silent } = describedBy(connection)
    this.#readers = readers
    this.#read = readers.get(this.name)
    super.prepare(this.#read ? silent : connection)
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const { _types: types } = this._result
    this.#remember(
      rowReader(
        fields.map(({ name }) => name),
        fields.map(({ dataTypeID, format }) => types.getTypeParser(dataTypeID, format)),
      ),
    )
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.#read || this.#unreadable !== undefined) return
    try {
      this.#rows.push(this.#read(fields))
    } catch (error) {
      this.#unreadable = error
    }
  }

  handleCommandComplete(): void {
    // A statement without a row description has no columns.
    if (!this.#read) this.#remember(() => ({}))
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable, this.#rows)
  }

  #remember(read: RowReader): void {
    this.#read = read
    this.#readers?.set(this.name, read)
  }
}

/** Copies an object that has all columns already: rows of one statement then share a shape, which V8 makes fast. */
function rowReader(names: string[], parsers: Parse[]): RowReader {
  const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  return (texts) => {
    const row = { ...empty }
    for (let column = 0; column < texts.length; column++) {
      const text = texts[column]
      const name = names[column]
      if (text !== null && text !== undefined && name !== undefined) row[name] = parsers[column]?.(text)
    }
    return row
  }
}
