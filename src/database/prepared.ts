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

/** The columns of a statement's rows. */
interface Shape {
  names: string[]
  parsers: Parse[]
  /** A row with all of its members, to copy. */
  empty: Record<string, unknown>
}

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

/** The shapes that are known on a connection, and the connection without the question for one. */
interface Known {
  shapes: Map<string, Shape>
  quiet: DriverConnection
}

const known = new WeakMap<DriverConnection, Known>()

function knownOn(connection: DriverConnection): Known {
  let found = known.get(connection)
  if (!found) {
    const quiet: DriverConnection = Object.create(connection)
    quiet.describe = () => undefined
    found = { shapes: new Map(), quiet }
    known.set(connection, found)
  }
  return found
}

class Prepared extends DriverQuery {
  #shapes: Map<string, Shape> | undefined
  #shape: Shape | undefined
  #rows: unknown[] = []
  #unreadable: unknown

  constructor(name: string, text: string, values: unknown[], callback: DriverQuery['callback']) {
    super(text, values)
    this.name = name
    this.callback = callback
  }

  override prepare(connection: DriverConnection): void {
    const { shapes, quiet } = knownOn(connection)
    this.#shapes = shapes
    this.#shape = shapes.get(this.name)
    super.prepare(this.#shape ? quiet : connection)
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#remember({
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID, format }) => this._result._types.getTypeParser(dataTypeID, format)),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    })
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.#shape || this.#unreadable !== undefined) return
    const { names, parsers, empty } = this.#shape
    const row = { ...empty }
    try {
      for (let place = 0; place < fields.length; place++) {
        const text = fields[place] as string | null
        row[names[place] as string] = text === null ? null : (parsers[place] as Parse)(text)
      }
    } catch (error) {
      this.#unreadable = error
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {
    // It has no rows, or it would have told of them.
    if (!this.#shape) this.#remember({ names: [], parsers: [], empty: {} })
  }

  handleReadyForQuery(): void {
    this.callback(this.#unreadable, this.#rows)
  }

  #remember(shape: Shape): void {
    this.#shape = shape
    this.#shapes?.set(this.name, shape)
  }
}
