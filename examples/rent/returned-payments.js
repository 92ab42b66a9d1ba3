/** The payments that came back, as webhooks report them. */
export class ReturnedPayments {
  /** @type {Map<string, import('purser-client').Payment>} */
  #byEvent = new Map()

  /**
   * Takes any event. One that is delivered again has the same id and changes nothing.
   *
   * @param {import('purser-client').Event} event
   */
  receive(event) {
    if (event.type === 'payment.returned') this.#byEvent.set(event.id, event.data)
  }

  list() {
    return [...this.#byEvent.values()].map(({ id, amount, description }) => ({ id, amount, description }))
  }
}
