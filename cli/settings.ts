import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NotAllowed, UsageError } from '../ground/failure.ts'
import { shellWord } from '../ground/text.ts'
import { configFile, type PersonSession, sessionAt } from './login/person-session.ts'

/** The address of the service, and the key to call it with. */
export interface Settings {
  url: string
  /** The key; throws if none is set. */
  apiKey(): string
  /** Where the key comes from, in words. */
  keySource: string
  /** The key as a word of a shell that reads it from the same place. */
  keyInShell: string
  /** Headers of every request: the organisation in which a person acts. */
  headers: Record<string, string>
  /** The folder of the service's data, where a sandbox keeps its first key. */
  dataDir: string
}

export interface GivenSettings {
  server?: string | undefined
  apiKey?: string | undefined
  /** The name of a service in the file of profiles. */
  profile?: string | undefined
}

const DEFAULT_URL = 'http://127.0.0.1:4000'
/** Addresses at which a service listens on all addresses of its machine. */
const ANY_HOST = ['0.0.0.0', '::']

/** The address at which a service would listen that is started with these variables; undefined if none names another port or host. */
export function ownAddress({ HOST, PORT }: NodeJS.ProcessEnv): string | undefined {
  const port = /^\d{1,5}$/.test(PORT ?? '') ? Number(PORT) : 0
  if (!HOST && port === 0) return undefined
  const host = !HOST || ANY_HOST.includes(HOST) ? '127.0.0.1' : HOST.includes(':') ? `[${HOST}]` : HOST
  return `http://${host}:${port || 4000}`
}

/** Reads the settings: flags first, then the environment, then the files of a service on this machine. */
export function settingsOf({ profile, ...flags }: GivenSettings, environment: NodeJS.ProcessEnv): Settings {
  const name = profile || environment.PURSER_PROFILE
  if (!name) return plainSettings(flags, environment)
  const { url, apiKey } = profileNamed(name, environment)
  const known = { PURSER_URL: url, PURSER_API_KEY: apiKey, PURSER_API_KEY_FILE: undefined }
  const settings = plainSettings(flags, { ...environment, ...known })
  return flags.apiKey || !apiKey ? settings : { ...settings, keySource: `the profile ${name}` }
}

/** A service that has a name, so that one can change between several. */
interface Profile {
  url: string
  /** Absent for a service that is used by a person who has signed in. */
  apiKey?: string
}

/** The service with a name, from the file of profiles. */
function profileNamed(name: string, environment: NodeJS.ProcessEnv): Profile {
  const path = configFile('profiles.json', environment)
  const form = `{"${name}": {"url": "https://…", "apiKey": "…"}}`
  const profiles = parsed(contentsOf(path) ?? '{}')
  if (!profiles) throw new UsageError(`${path} is not JSON of the form ${form}`)
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (typeof found?.url === 'string' && ['string', 'undefined'].includes(typeof found.apiKey)) return found as Profile
  const names = Object.keys(profiles).join(', ')
  throw new UsageError(
    `there is no profile ${name} with a url in ${path}: ${names ? `it has ${names}` : `write ${form}`}`,
  )
}

function parsed(text: string): Record<string, Partial<Profile>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, Partial<Profile>>) : undefined
  } catch {
    return undefined
  }
}

function plainSettings(given: GivenSettings, environment: NodeJS.ProcessEnv): Settings {
  const dataDir = environment.PURSER_DATA_DIR || './data'
  const address = given.server || environment.PURSER_URL || notedAddress(dataDir) || DEFAULT_URL
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`the address is not an http or https URL: ${address}`)
  }
  const target = { url: url.replace(/\/+$/, ''), dataDir }
  const own = (given.apiKey || environment.PURSER_API_KEY)?.trim()
  if (own) {
    const keySource = given.apiKey ? '--api-key' : 'PURSER_API_KEY'
    return { ...target, headers: {}, apiKey: () => own, keySource, keyInShell: '$PURSER_API_KEY' }
  }
  const file = environment.PURSER_API_KEY_FILE
  const session = file ? undefined : sessionAt(target.url, environment)
  return { ...target, ...(session ? keyOfPerson(session) : keyInFile(url, dataDir, file)) }
}

type KeySettings = Omit<Settings, 'url' | 'dataDir'>

/** The session that `purser login` has begun. */
function keyOfPerson({ token, organisation }: PersonSession): KeySettings {
  const headers = organisation && { 'x-purser-organisation': encodeURIComponent(organisation) }
  const keySource = 'the session of `purser login`'
  return { headers: { ...headers }, apiKey: () => token, keySource, keyInShell: '$PURSER_API_KEY' }
}

function keyInFile(url: string, dataDir: string, file: string | undefined): KeySettings {
  const generated = join(dataDir, 'api-key')
  const fromFile = file ? 'PURSER_API_KEY_FILE' : isLoopback(url) ? generated : undefined
  return {
    headers: {},
    apiKey: () => (file ? keyOfOperator(file) : keyOfFile(url, dataDir)),
    keySource: file ? 'PURSER_API_KEY_FILE' : generated,
    keyInShell: !fromFile ? '$PURSER_API_KEY' : file ? `$(cat "$${fromFile}")` : `$(cat ${shellWord(fromFile)})`,
  }
}

/** The address that a service wrote into its data folder when it started there last. */
function notedAddress(dataDir: string): string | undefined {
  const url = contentsOf(join(dataDir, 'address'))
  if (!url || !URL.canParse(url)) return undefined
  const { hostname, port } = new URL(url)
  return ownAddress({ HOST: hostname.replace(/^\[|\]$/g, ''), PORT: port })
}

/** The key in the file that PURSER_API_KEY_FILE names. The path is not shown: it may be a key by mistake. */
function keyOfOperator(path: string): string {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if (key) return key
  } catch (error) {
    throw new NotAllowed(`PURSER_API_KEY_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  throw new NotAllowed('PURSER_API_KEY_FILE names an empty file')
}

/** The key that a sandbox made for itself. It is sent to this machine only. */
function keyOfFile(url: string, dataDir: string): string {
  const path = join(dataDir, 'api-key')
  const key = isLoopback(url) ? contentsOf(path) : undefined
  if (key) return key
  const place = isLoopback(url)
    ? `. There is no ${resolve(path)}; the folder in which the service was started has data/api-key`
    : ''
  throw new NotAllowed(
    `no API key for ${url}: set PURSER_API_KEY, pass --api-key, or sign in with \`purser login\`${place}`,
  )
}

/** Whether an address leads to this machine. */
export function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

function contentsOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new NotAllowed(`the key in ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
