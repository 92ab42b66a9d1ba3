import { connect, embeddedOf, type Service, until } from '../service.ts'

/** A request that the service has accepted and that waits in the database until it is released. */
export async function slowRequest(service: Service) {
  const { call } = service
  const { json: customer } = await call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
  const { json } = await call('POST', '/v0/banking/accounts', { body: { customerId: customer.data.id } })
  const path = `/v0/banking/accounts/${json.data.id}/close`
  const locker = await connect(embeddedOf(service.dataDir))
  await locker.query('begin')
  await locker.query('select from account where id = $1 for update', [json.data.id])
  const answer = call('POST', path, { body: { reason: 'ByCustomer' } })
  // Awaited later; a failure before that is no unhandled one.
  answer.catch(() => undefined)
  await until('the request to wait for the lock', async () => {
    // In a transaction, pg_stat_activity lists the connections of its first use, and the request may open another.
    const blocked = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
    return Number((await locker.query(blocked)).rowCount) > 0
  })
  return {
    path,
    answer,
    release: async () => {
      await locker.query('commit')
      await locker.end()
    },
  }
}
