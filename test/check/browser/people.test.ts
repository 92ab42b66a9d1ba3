import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRecordIds } from '../../../src/database/record-ids.ts'
import { invite, inviteAnew } from '../../../src/people/manage-people.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { signIn } from '../../support/people/sign-in.ts'
import { runInProcess } from '../../support/run/command-line.ts'
import { scratchFolder } from '../../support/service.ts'
import { addDevice, type ConsolePage, closeBrowser, openConsole, screenFaults } from './support/console-page.ts'

let bank: TestBank
let url: string
let open: ConsolePage | undefined

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  await bank.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://localhost:${(bank.app.server.address() as AddressInfo).port}`
})
afterEach(async () => {
  await open?.close()
  open = undefined
})
afterAll(async () => {
  await closeBrowser()
  await bank?.close()
})

const invited = (roles: Record<string, string>) =>
  invite({ database: bank.database, ids: openRecordIds(bank.database) }, { name: 'Ada Lovelace', roles })

describe('a person', () => {
  test('registers a passkey by an invitation, signs out and in, and switches the organisation', async (context) => {
    const { secret } = await invited({ first: 'viewer', second: 'administrator' })
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page } = open
    expect(page.url()).toBe(`${url}/console`)
    await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByText('Ada Lovelace, viewer').waitFor()
    expect(await page.evaluate('[document.cookie, localStorage.length]')).toEqual(['', 0])
    await page.reload()
    await menu.getByText('Ada Lovelace, viewer').waitFor()
    await page.getByLabel('Organisation').selectOption('second')
    await menu.getByText('Ada Lovelace, administrator').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await menu.getByText('Ada Lovelace, viewer').waitFor()
    const cookies = await page.context().cookies()
    expect(cookies).toEqual([
      expect.objectContaining({ name: '__Host-purser', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' }),
    ])
    expect(open.faults).toEqual([])
  })

  test('sees roles and sessions, and ends one of another device', async (context) => {
    const { id, secret } = await invited({ first: 'reviewer', second: 'viewer' })
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page } = open
    await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    const other = await signIn(bank, {}, { as: id, kind: 'command' })
    expect((await other.call('GET', '/v0/me')).status).toBe(200)
    await page.getByRole('link', { name: 'Ada Lovelace, reviewer' }).click()
    await page.getByText('reviewer in first, viewer in second').waitFor()
    const sessions = page.getByRole('table', { name: 'Sessions' }).locator('tbody tr')
    await sessions.filter({ hasText: 'Command line' }).getByRole('button', { name: 'End', exact: true }).click()
    await sessions.filter({ hasText: 'Command line' }).waitFor({ state: 'detached' })
    expect((await other.call('GET', '/v0/me')).status).toBe(401)
    await sessions.getByRole('button', { name: 'Sign out here' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    expect(open.faults).toEqual([])
  })

  test('whose device is lost signs in with a new invitation alone', async (context) => {
    const { id, secret } = await invited({ first: 'viewer' })
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page } = open
    const device = await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.waitFor()
    const anew = await inviteAnew(bank.database, id)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('This passkey is not known here').waitFor()
    await device.lose()
    await page.goto('about:blank')
    await page.goto(`${url}/console#invitation=${anew}`)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await menu.waitFor()
  })
})

describe('an administrator', () => {
  test('invites a person by a link that is shown once, changes the role, ends a session, and removes the person', async (context) => {
    const { secret } = await invited({ first: 'administrator' })
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page, show } = open
    await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Keys and audit' }).click()
    await page.locator('main').getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('row', { name: /Ada Lovelace, you/ }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Invite…' }).click()
    await dialog.getByLabel('Name').fill('Grace Hopper')
    await dialog.getByLabel('Role').selectOption('reviewer')
    expect(await screenFaults(open, 'people-invite')).toEqual([])
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = await dialog.getByText('#invitation=').textContent()
    expect(link?.startsWith(`${url}/console#invitation=`)).toBe(true)
    expect(await screenFaults(open, 'people-link')).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: /Grace Hopper/ })
    await row.getByText('Invited').waitFor()
    expect(await screenFaults(open, 'people')).toEqual([])
    await row.getByRole('link').first().click()
    const id = page.url().split('/').at(-1) ?? ''
    const grace = await signIn(bank, {}, { as: Number(id), kind: 'command' })
    await page.reload()
    const session = page.getByRole('row', { name: /Command line/ })
    await session.getByRole('button', { name: 'End' }).waitFor()
    expect(await screenFaults(open, 'people-person')).toEqual([])
    await session.getByRole('button', { name: 'End' }).click()
    await page.getByText('No session works now.').waitFor()
    expect((await grace.call('GET', '/v0/me')).status).toBe(401)
    await page.getByRole('button', { name: 'Change the role…' }).click()
    await dialog.getByLabel('Role').selectOption('risk')
    await dialog.getByRole('button', { name: 'Change the role' }).click()
    await page.getByRole('region', { name: 'Rights' }).getByText('risk', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New link…' }).click()
    await dialog.getByRole('button', { name: 'Make a new link' }).click()
    expect(await dialog.getByText('#invitation=').textContent()).not.toBe(link)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Remove…' }).click()
    await dialog.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await page.waitForURL(`${url}/console/access/people`)
    await row.waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /Ada Lovelace, you/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByText('This is you.').waitFor()
    expect(await page.getByRole('button', { name: 'Remove…' }).count()).toBe(0)
    expect(await screenFaults(open)).toEqual([])
    await show('/access/person')
    await page.getByRole('link', { name: 'All people' }).waitFor()
  })

  test('alone has the screen of persons', async (context) => {
    const { secret } = await invited({ first: 'developer' })
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page, show } = open
    await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await show('/access')
    expect(await page.locator('main').getByRole('link', { name: 'People', exact: true }).count()).toBe(0)
    await show('/access/people')
    await page.getByRole('heading', { name: 'No screen has this address' }).waitFor()
    // Nothing was asked for that would be refused.
    expect(open.faults).toEqual([])
  })
})

/** Runs `purser login` until it has printed where to sign in. */
async function beginLogin(server: string) {
  const environment = { PURSER_URL: server, XDG_CONFIG_HOME: scratchFolder() }
  let result: ReturnType<typeof runInProcess> | undefined
  const shown = await new Promise<{ url: string; code: string }>((resolve) => {
    result = runInProcess(['login'], { environment, written: (text) => resolve(JSON.parse(text)) })
  })
  return { environment, result, ...shown }
}

describe('the command line', () => {
  test('acts as a person who signs in, sees its code, and agrees', async (context) => {
    const { secret } = await invited({ first: 'reviewer', second: 'viewer' })
    const { url: address, code, result, environment } = await beginLogin(url.replace('localhost', '127.0.0.1'))
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page } = open
    await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto('about:blank')
    // A tab of its own: the person has to sign in first, with a passkey and not with a key.
    await page.goto(address)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    expect(page.url()).toBe(`${url}/console`)
    expect(await page.getByLabel('API key').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Let the command line act as you?' }).waitFor()
    await page.getByText(code, { exact: true }).waitFor()
    await page.getByText('You are Ada Lovelace, reviewer in first, viewer in second.').waitFor()
    expect(await screenFaults(open, 'command-sign-in')).toEqual([])
    await page.getByRole('button', { name: 'Let it act as me' }).click()
    await page.getByText('The command line is signed in.').waitFor()
    expect((await result)?.code).toBe(0)
    const { stdout } = await runInProcess(['me', 'get'], { environment })
    expect(JSON.parse(stdout).person).toMatchObject({ name: 'Ada Lovelace', role: 'reviewer' })
    // The console is the console again.
    await page.goto(`${url}/console`)
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
  })

  test('is refused by a person, and a link that is none asks nothing', async (context) => {
    const { secret } = await invited({ first: 'reviewer' })
    const { url: address, result } = await beginLogin(url)
    open = await openConsole(context, { url, fragment: `invitation=${secret}` })
    const { page } = open
    await addDevice(open)
    await page.getByRole('button', { name: 'Register a passkey' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    for (const odd of ['x', 'javascript:alert(1)', `${'a'.repeat(64)}.80@evil.example.${'x'.repeat(43)}`]) {
      await page.goto('about:blank')
      await page.goto(`${url}/console#command=${odd}`)
      await page.getByText('This link is not that of a sign-in.').waitFor()
    }
    await page.getByRole('link', { name: 'Open the console' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('was refused in the console').waitFor()
    expect(await result).toMatchObject({ code: 4, stderr: expect.stringContaining('was refused in the console') })
  })
})
