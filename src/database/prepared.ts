import pg from 'pg'

/**
 * Runs a statement that is prepared on its connection at its first use. The driver has every execution tell its columns
 * anew, which costs both sides as much as dozens of rows do; here they are told once a connection.
 */
export function runPrepared<Row>(client: pg.ClientBase, name: string, text: string, values: unknown[]): Promise<Row[]> {
  return new Promise<Row[]>((resolve, reject) => {
    const done = (error: unknown, rows: unknown[]) => (error ? reject(error) : resolve(rows as Row[]))
    client.query(new Prepared(name, text, values, done) as unknown as pg.Submittable)
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

/** The parts of the driver's query that ours goes by. */
interface DriverQuery {
  name: string
  callback: (error: unknown, rows: unknown[]) => void
  _result: { _types: { getTypeParser(oid: number, format: string): Parse } }
  prepare(connection: DriverConnection): void
  handleError(error: unknown, connection: DriverConnection): void
}
type DriverConnection = { describe(): void }

const DriverQuery = pg.Query as unknown as new (text: string, values: unknown[]) => DriverQuery

/** The statements whose columns are known on a connection, and the connection without the question for them. */
interface Known {
  readers: Map<string, RowReader>
  quiet: DriverConnection
}

const known = new WeakMap<DriverConnection, Known>()

function knownOn(connection: DriverConnection): Known {
  let found = known.get(connection)
  if (!found) {
    const quiet: DriverConnection = Object.create(connection)
    quiet.describe = () => undefined
    found = { readers: new Map(), quiet }
    known.set(connection, found)
  }
  return found
}

class Prepared extends DriverQuery {
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
    const { readers, quiet } = knownOn(connection)
    this.#readers = readers
    this.#read = readers.get(this.name)
    super.prepare(this.#read ? quiet : connection)
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
    // It has no rows, or it would have told of them.
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

/**
 * Code of its own for every statement, as if its rows were spelled out: code for all would meet so many shapes that V8
 * gave up on them. The names are those of our own statements.
 */
function rowReader(names: string[], parsers: Parse[]): RowReader {
  const members = names.map(
    (name, place) => `${JSON.stringify(name)}: texts[${place}] === null ? null : parsers[${place}](texts[${place}])`,
  )
  return new Function('parsers', `return (texts) => ({ ${members.join(', ')} })`)(parsers)
}
