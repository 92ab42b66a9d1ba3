/** A place where work of a test waits until the test lets it go on, in place of a pause of some length. */
export interface Gate {
  opened: Promise<void>
  open(): void
}

export function closedGate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
