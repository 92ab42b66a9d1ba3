/** Changes to maps and lists that can be taken back. */
export interface UndoLog {
  push(step: () => void): void
  replace<Row extends { id: number }>(map: Map<number, Row>, row: Row, before: Row): void
  append<Row>(list: Row[], row: Row): void
  clear(): void
  run(): void
}

export function openUndoLog(): UndoLog {
  const steps: (() => void)[] = []
  return {
    push: (step) => void steps.push(step),
    replace(map, row, before) {
      map.set(row.id, row)
      steps.push(() => map.set(row.id, before))
    },
    append(list, row) {
      list.push(row)
      steps.push(() => list.pop())
    },
    clear: () => {
      steps.length = 0
    },
    run: () => {
      for (const step of steps.splice(0).reverse()) step()
    },
  }
}
