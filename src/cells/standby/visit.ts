import { after } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { DatabaseUnavailable, LockTimeout } from '../../database/errors.ts'

/** A read that takes longer is given up, and left to the primary. */
export const READ_MS = 3_000

/** The time in which one server is used as the standby. Everything that it has shown, it shows until the end. */
export class Visit {
  readonly database: Database
  /** When the server was started. */
  readonly started: string
  readonly #broken: (reason: string) => void
  /** Gives up the reads under way. */
  readonly #underWay = new Set<(error: Error) => void>()
  #ended: Error | undefined

  /** `broken` is called when a read finds that the server does not answer. */
  constructor(database: Database, started: string, broken: (reason: string) => void) {
    this.database = database
    this.started = started
    this.#broken = broken
  }

  /** Runs a read. Rejects if it fails, takes long, or has not finished before the visit ends. */
  run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      /** False if the read was given up before. */
      const finish = () => {
        cancel()
        return this.#underWay.delete(giveUp)
      }
      const giveUp = (error: unknown) => {
        if (!finish()) return
        reject(error)
        // A statement that is cancelled, or waits in vain, says nothing about the server.
        if (error instanceof DatabaseUnavailable && !(error instanceof LockTimeout)) this.#broken(error.message)
      }
      const cancel = after(READ_MS, () => giveUp(new LockTimeout(`the standby did not answer within ${READ_MS} ms`)))
      this.#underWay.add(giveUp)
      read().then((result) => {
        finish()
        resolve(result)
      }, giveUp)
    })
  }

  end(reason: string): void {
    this.#ended = new LockTimeout(`the standby is not used any more: ${reason}`)
    for (const giveUp of this.#underWay) giveUp(this.#ended)
  }
}
