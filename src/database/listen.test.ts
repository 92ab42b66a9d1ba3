import { afterEach, expect, test } from 'vitest'
import { createDatabase } from '../../test/support/harness.ts'
import { ask } from '../../test/support/service.ts'
import { openListener } from './listen.ts'

type Created = Awaited<ReturnType<typeof createDatabase>>

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function listening(servers: (server: Created['server']) => Created['server'][] = (server) => [server]) {
  const { server, drop } = await createDatabase()
  closers.push(drop)
  let count = 0
  const listener = openListener({
    servers: servers(server),
    channel: 'Some "odd" channel',
    heard: () => count++,
    retryMs: 20,
  })
  closers.push(() => listener.close())
  await expect.poll(() => count).toBe(1)
  const notify = (channel: string) => ask(server, `select pg_notify($1, '')`, [channel])
  return { server, notify, count: () => count, listener }
}

test('a listener hears the notifications of its channel only', async () => {
  const { notify, count } = await listening()
  await notify('another')
  await notify('Some "odd" channel')
  await expect.poll(count).toBe(2)
  await notify('Some "odd" channel')
  await expect.poll(count).toBe(3)
})

test('a listener connects again when its connection breaks, and reports once for what it missed', async () => {
  const { server, notify, count } = await listening()
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'purser listener'`
  expect(await ask(server, end)).toHaveLength(1)
  await expect.poll(count).toBe(2)
  await notify('Some "odd" channel')
  await expect.poll(count).toBe(3)
})

test('a listener goes on to the next server where one does not answer', async () => {
  const { notify, count } = await listening((server) => [{ host: '127.0.0.1', port: 1, user: 'nobody' }, server])
  await notify('Some "odd" channel')
  await expect.poll(count).toBe(2)
})

test('a listener leaves no connection behind, whenever it is closed', async () => {
  const { server, listener } = await listening()
  await listener.close()
  const early = openListener({ servers: [server], channel: 'early', heard: () => undefined })
  await early.close()
  await expect
    .poll(() =>
      ask(server, `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`),
    )
    .toEqual([])
})
