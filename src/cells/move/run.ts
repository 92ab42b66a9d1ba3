import type { Progress } from '../../base/progress.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Queryable } from '../../database/database.ts'
import type { MoveCell } from './cell.ts'
import { type MoveState, setState } from './state.sql.ts'

/** One run of the command on the move of an organisation. */
export interface Move {
  id: number
  name: string
  /** The epoch after the move. */
  epoch: number
  /** Distinguishes this run from a former one. */
  run: string
  source: MoveCell
  target: MoveCell
  /** The operator's encryption key, and the next one while it is being changed. */
  keys: Buffer[]
  /** The address at which the server of the target reaches that of the source. */
  reach: string
  /** The folder of outgoing ACH files of a live bank; undefined if nothing leaves with files. */
  outgoing: string | undefined
  progress: Progress
  /** Called between the steps. A test kills the command there. */
  reached: (step: string) => void | Promise<void>
}

/** Goes on to another state. Refuses if another run has taken the move over. */
export async function advance(
  { id, run, source }: Move,
  from: MoveState[],
  to: MoveState,
  connection: Queryable = source.held,
): Promise<void> {
  if (await setState(connection, { id, run, from, to })) return
  throw new StartupError('another run of this command has taken the move over')
}
