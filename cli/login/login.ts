import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { exitCodes, NotAllowed, Refusal, UsageError } from '../../ground/failure.ts'
import { typedLine } from '../ask.ts'
import type { Call, Command } from '../command.ts'
import { openBrowser } from '../commands/open.ts'
import { type Outcome, openLoopback, outcomeOf } from './loopback.ts'
import { keepSession, type PersonSession, sessionAt } from './person-session.ts'
import { askSession } from './session-request.ts'

/** The person signs in and confirms within this time. */
const PATIENCE_MS = 10 * 60_000

export const login: Command = {
  path: 'login',
  summary: 'Signs you in as a person, by the console',
  description: `Prints an address of the console and a code. On a terminal it also opens the browser. Sign in there, and confirm if the page shows the same code; this is possible for ten minutes. If the browser is on another machine, paste the address at which it ends.

The other commands then act as you if no key is given. ~/.config/purser/sessions.json keeps the session, and only you can read it. The session ends after 30 minutes without use, after 12 hours, and by \`purser logout\`. The console lists it with your others.`,
  group: 'Service',
  options: [
    { flags: '--organisation <name>', description: 'Organisation in which you act (default: your first one by name)' },
  ],
  examples: [{ run: 'purser login', does: 'Signs you in at the service of this machine', lasting: true }],
  run: beginSession,
}

export const logout: Command = {
  path: 'logout',
  summary: 'Ends your session of `purser login`',
  description: 'Ends the session at the service, and removes it from this machine.',
  group: 'Service',
  examples: [{ run: 'purser logout', does: 'Signs you out' }],
  run: endSession,
}

async function beginSession(call: Call): Promise<void> {
  if (call.dryRun) return void askSession(call, 'login')
  const { settings, out, options } = call
  const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const challenge = createHash('sha256').update(verifier).digest('hex')
  const { console: origin } = await askSession<{ console: string }>(call, 'login')
  const loopback = await openLoopback(state)
  const finish = async ({ code }: Outcome) => {
    if (code === undefined) throw new NotAllowed('the sign-in was refused in the console')
    const headers = { 'user-agent': `purser ${call.version} on ${hostname()}`.replace(/[^\x20-\x7e]/g, '') }
    const { token } = await askSession<{ token: string }>(call, 'exchange', { body: { code, verifier }, headers })
    await replaceSession(call, { token, ...(options.organisation && { organisation: String(options.organisation) }) })
  }
  const ended = new AbortController()
  try {
    const url = new URL(`/console#command=${challenge}.${loopback.port}.${state}`, origin).href
    const code = `${challenge.slice(0, 4)}-${challenge.slice(4, 8)}`.toUpperCase()
    out.line(out.forPeople ? url : JSON.stringify({ url, code }))
    out.note(`Sign in there, and confirm the code ${code}.`)
    if (out.forPeople) openBrowser(url, call)
    const ways = [loopback.wait(finish), tooLate(ended.signal)]
    if (out.interactive) ways.push(pasted(state, ended.signal).then(finish))
    await Promise.race(ways)
  } finally {
    ended.abort()
    loopback.close()
  }
  out.note(`You are signed in at ${settings.url}.`)
  if (/^(--api-key|PURSER_API_KEY|the profile )/.test(settings.keySource))
    out.note(`Commands go on with the key of ${settings.keySource} while it is given.`)
}

/** The outcome in the address that a person pastes. */
async function pasted(state: string, signal: AbortSignal): Promise<Outcome> {
  const outcome = outcomeOf(await typedLine(signal), state)
  if (outcome) return outcome
  throw new UsageError('this is not the address at which the browser ended: run purser login again')
}

async function tooLate(signal: AbortSignal): Promise<void> {
  await setTimeout(PATIENCE_MS, undefined, { signal })
  throw new Refusal('nobody confirmed within ten minutes: run purser login again', { code: exitCodes.retry })
}

/** Keeps a session in place of an earlier one, which ends. */
async function replaceSession(call: Call, session: PersonSession): Promise<void> {
  const { settings, environment } = call
  const earlier = sessionAt(settings.url, environment)
  keepSession(settings.url, session, environment)
  // It ends by itself if the service cannot be reached now.
  if (earlier) await end(call, earlier).catch(() => undefined)
}

function end(call: Call, { token }: PersonSession): Promise<unknown> {
  return askSession(call, 'end', { headers: { 'x-service-api-key': token } })
}

async function endSession(call: Call): Promise<void> {
  const { settings, out, environment, dryRun } = call
  const session = sessionAt(settings.url, environment)
  if (!session) return out.note(`You were not signed in at ${settings.url}.`)
  const ended = end(call, session)
  if (dryRun) return
  try {
    await ended
  } catch (error) {
    // A session that has ended already is refused.
    if (!(error instanceof NotAllowed)) {
      keepSession(settings.url, undefined, environment)
      const rest = 'The session is gone from this machine, and ends by itself after 30 minutes without use'
      throw new Refusal(`${(error as Error).message}. ${rest}`, { code: exitCodes.retry })
    }
  }
  keepSession(settings.url, undefined, environment)
  out.note(`You are signed out at ${settings.url}.`)
}
