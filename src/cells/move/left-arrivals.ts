import type { Closers } from '../../base/closers.ts'
import { StartupError } from '../../base/startup-error.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import { visitDatabase } from '../../database/visit.ts'
import type { CellPlace } from '../settings.ts'
import { clearTarget } from './clean-up.ts'
import type { Move } from './run.ts'
import { findMove, type MoveRow, openMoves } from './state.sql.ts'

/** The rows of an organisation in a cell that was away when its move there was broken off. */
export interface LeftArrival {
  id: number
  name: string
  from: CellPlace
  to: CellPlace
}

/** A cell that has answered, and its moves that are not over. */
export interface CellMoves {
  place: CellPlace
  moves: MoveRow[]
}

/** Finds them in the cells that answer. If the cell that an organisation was to leave is away, its move may not be over. */
export async function leftArrivals(places: CellPlace[], closers?: Closers): Promise<LeftArrival[]> {
  const found: CellMoves[] = []
  for (const place of places) {
    try {
      found.push({ place, moves: await visitDatabase(place, openMoves, closers) })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }
  return leftAmong(found)
}

export function leftAmong(found: CellMoves[]): LeftArrival[] {
  return found.flatMap(({ place: to, moves }) =>
    moves.flatMap(({ id, name, cell, state }) => {
      const source = found.find(({ place }) => place.name === cell)
      const isOver = source && !source.moves.some((move) => move.id === id && leadsTo(move, to.name))
      return state === 'arriving' && isOver ? [{ id, name, from: source.place, to }] : []
    }),
  )
}

/** Deletes them. Both cells are held: no other move works in them. */
export async function clearLeftArrival(
  { id, name }: LeftArrival,
  { source, target, keys, progress }: Pick<Move, 'source' | 'target' | 'keys' | 'progress'>,
): Promise<void> {
  const move = await findMove(source.work, id)
  if (move && leadsTo(move, target.name)) throw new StartupError(`a move of ${name} has begun meanwhile: try again`)
  await clearTarget({ id, name, source, target, keys, run: '', progress, reached: () => undefined })
}

function leadsTo({ state, cell }: MoveRow, target: string): boolean {
  return state !== 'arriving' && state !== 'moved' && cell === target
}
