import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { operate } from '../run/command-line.ts'
import type { Service } from '../service.ts'
import { openAuthenticator } from './authenticator.ts'

interface Opened {
  address: string
  /** The folder of the settings of the person, which has the first name. */
  folder: string
}

/** Browsers of persons who were invited. Each signs in with a passkey when `purser login` opens it, and agrees. */
export async function openBrowsers({ url, dataDir }: Pick<Service, 'url' | 'dataDir'>) {
  const origin = url.replace('127.0.0.1', 'localhost')

  async function post(name: string, body: unknown, cookie = '') {
    const headers = { 'content-type': 'application/json', origin, ...(cookie && { cookie }) }
    const reply = await fetch(`${origin}/session/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data } = (await reply.json()) as { data: never }
    return { data, cookie: reply.headers.get('set-cookie')?.split(';')[0] }
  }

  async function signIn(name: string): Promise<string | undefined> {
    const people = await operate(['people', 'list', '--data-dir', dataDir], {})
    const own = people.filter((each) => each.name.toLowerCase().startsWith(`${name} `))
    const newest = own.reduce((one, other) => (one.createdAt > other.createdAt ? one : other))
    const [{ link }] = await operate(['people', 'link', newest.id, '--data-dir', dataDir], {})
    const { data } = await post('invitation', { invitation: new URL(link).hash.replace('#invitation=', '') })
    return (await post('registration', { response: openAuthenticator(origin).register(data) })).cookie
  }

  const server = createServer(async (request, response) => {
    const { address, folder } = JSON.parse(await text(request)) as Opened
    const [challenge, port, state = ''] = new URL(address).hash.replace('#command=', '').split('.')
    const { data } = await post('allow', { challenge }, await signIn(basename(folder)))
    await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ code: (data as { code: string }).code, state })}`)
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((closed) => server.close(closed)),
  }
}

const program = `const [, , url, address] = process.argv
await fetch(url, { method: 'POST', body: JSON.stringify({ address, folder: process.env.XDG_CONFIG_HOME }) })
`

/** Puts programs into a folder that hand the addresses that they open to `url`. */
export function addBrowser(folder: string, url: string): void {
  const script = join(folder, 'browser.mjs')
  writeFileSync(script, program)
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' '${url}' "$1"\n`)
    chmodSync(join(folder, name), 0o755)
  }
}
