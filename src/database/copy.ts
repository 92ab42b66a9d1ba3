import pg from 'pg'

/** The bytes of a message: the driver keeps a buffer of the size of the largest one. */
const MESSAGE = 64 * 1024

/** The part of the driver's connection that is used here. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** Runs `copy … from stdin`, with rows in PostgreSQL's text format. */
export function runCopy(client: pg.ClientBase, text: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(text, (error: unknown) => (error ? reject(error) : resolve()))
    const send = (connection: CopyConnection) => {
      const bytes = Buffer.from(rows)
      for (let first = 0; first < bytes.length; first += MESSAGE) {
        connection.sendCopyFromChunk(bytes.subarray(first, first + MESSAGE))
      }
      connection.endCopyFrom()
    }
    client.query(Object.assign(query, { handleCopyInResponse: send }))
  })
}
