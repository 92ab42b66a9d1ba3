import { spawn } from 'node:child_process'
import { NotAllowed } from '../../ground/failure.ts'
import type { Call, Command } from '../command.ts'
import { lookUp } from './get.ts'

export const open: Command = {
  path: 'open',
  summary: 'Opens the console, at a record if one is named',
  description:
    'Prints the address. On a terminal it also opens the browser. The address of a sandbox carries the API key, so that the console does not ask for it.',
  group: 'Service',
  arguments: [{ name: 'id', description: 'Id of a record', optional: true }],
  options: [{ flags: '--type <type>', description: 'Type of the record, such as payment' }],
  examples: [
    { run: 'purser open', does: 'Opens the console' },
    { run: 'purser open "$PAYMENT" --type payment', does: 'Opens the console at a payment' },
  ],
  run: async (call) => {
    const address = `${call.settings.url}${await pathOf(call)}${await fragmentOf(call)}`
    call.out.line(call.out.forPeople ? address : JSON.stringify({ url: address }))
    if (call.out.forPeople && !call.dryRun) openBrowser(address, call)
  },
}

async function pathOf(call: Call): Promise<string> {
  if (call.args.length === 0) return '/console'
  const [record] = await lookUp(call)
  return `/console/records/${record?.type}/${encodeURIComponent(record?.id ?? '')}`
}

/** The key of a sandbox. A browser sends a fragment to no server, and the console removes it from the address. */
async function fragmentOf(call: Call): Promise<string> {
  const key = keyOf(call)
  if (key === undefined) return ''
  const { mode } = await call.purser().me.get()
  return mode === 'sandbox' ? `#key=${encodeURIComponent(key)}` : ''
}

/** Without a key here, the console asks for one. A person signs in there. */
function keyOf({ settings }: Call): string | undefined {
  try {
    const key = settings.apiKey()
    return key.startsWith('prs_ps_') ? undefined : key
  } catch (error) {
    if (error instanceof NotAllowed) return undefined
    throw error
  }
}

/** Programs that open an address. None of them is a shell, which could take a part of the address for a command. */
const openers: Partial<Record<NodeJS.Platform, [program: string, ...parameters: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openBrowser(address: string, { out }: Call): void {
  const [program, ...parameters] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...parameters, address], { stdio: 'ignore', detached: true })
  child.on('error', () => out.note('No browser can be opened here: open the address yourself.'))
  child.unref()
}
