import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NotAllowed } from '../../ground/failure.ts'

/** The session of a person at a service. */
export interface PersonSession {
  token: string
  /** The organisation in which the person acts; absent for the first one. */
  organisation?: string
}

type Sessions = Record<string, PersonSession>

const FILE = 'sessions.json'

/** A file of the command line's settings. */
export function configFile(name: string, { XDG_CONFIG_HOME, HOME = '' }: NodeJS.ProcessEnv): string {
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'purser', name)
}

/** The session at an address, to which alone its secret is sent. */
export function sessionAt(url: string, environment: NodeJS.ProcessEnv): PersonSession | undefined {
  const sessions = read(configFile(FILE, environment)) ?? {}
  const found = Object.hasOwn(sessions, url) ? sessions[url] : undefined
  return typeof found?.token === 'string' ? found : undefined
}

/** Keeps the session at an address, which only this user of the machine can read; undefined removes it. */
export function keepSession(url: string, session: PersonSession | undefined, environment: NodeJS.ProcessEnv): void {
  if (!environment.XDG_CONFIG_HOME && !environment.HOME) {
    throw new NotAllowed('a session has no place here: set HOME, or XDG_CONFIG_HOME')
  }
  const path = configFile(FILE, environment)
  const known = read(path)
  if (!known) throw new NotAllowed(`a session cannot be kept in ${path} (EACCES)`)
  const { [url]: _, ...others } = known
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const part = `${path}.${process.pid}`
  writeFileSync(part, `${JSON.stringify({ ...others, ...(session && { [url]: session }) }, null, 2)}\n`, {
    mode: 0o600,
  })
  // The mode of a file that was there before stays when it is written.
  chmodSync(part, 0o600)
  renameSync(part, path)
}

/**
 * A file that is absent or spoilt has no sessions: the person signs in again. Undefined if its folder is closed to this user: it is
 * another user's, as HOME may be after a change of user, and has no session of this one.
 */
function read(path: string): Sessions | undefined {
  try {
    const sessions: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof sessions === 'object' && sessions !== null ? (sessions as Sessions) : {}
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || code === 'ENOENT' || code === 'ENOTDIR') return {}
    if (code === 'EACCES' && !existsSync(path)) return undefined
    throw new NotAllowed(`the sessions in ${path} cannot be read (${code})`)
  }
}
