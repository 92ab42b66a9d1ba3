interface Sending {
  endpointId: number
  organisationId: number
  failing: boolean
}

/** Counts the deliveries that a process is sending, by endpoint and by organisation. */
export class InFlight {
  readonly endpoints = new Map<number, number>()
  readonly organisations = new Map<number, { all: number; failing: number }>()
  all = 0
  failing = 0

  add(delivery: Sending): void {
    this.#count(delivery, 1)
  }

  remove(delivery: Sending): void {
    this.#count(delivery, -1)
  }

  #count({ endpointId, organisationId, failing }: Sending, change: 1 | -1): void {
    this.all += change
    if (failing) this.failing += change
    const atEndpoint = (this.endpoints.get(endpointId) ?? 0) + change
    if (atEndpoint > 0) this.endpoints.set(endpointId, atEndpoint)
    else this.endpoints.delete(endpointId)
    const counts = this.organisations.get(organisationId) ?? { all: 0, failing: 0 }
    counts.all += change
    if (failing) counts.failing += change
    if (counts.all > 0) this.organisations.set(organisationId, counts)
    else this.organisations.delete(organisationId)
  }
}
