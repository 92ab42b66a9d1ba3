/** A map of bounded size. Past the bound, the entry that was set longest ago is dropped. */
export class Recent<Key, Value> extends Map<Key, Value> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: Key, value: Value): this {
    // A Map iterates in order of insertion, so an entry that is set again moves to the end.
    this.delete(key)
    if (this.size >= this.#max) for (const oldest of this.keys()) if (this.delete(oldest)) break
    return super.set(key, value)
  }
}
