import { Purser } from '../client/src/index.ts'
import { type OrganisationOptions, TestOrganisation } from './organisation.ts'
import { startService } from './service-process.ts'
import { openReceiverServer, type ReceiverServer } from './webhook-receiver.ts'

export interface StartOptions {
  /** A service that runs already; `PURSER_URL` by default. Without either, one is started. */
  url?: string
  /** The key for a service that runs already; `PURSER_API_KEY` by default. */
  apiKey?: string
  /** A folder for the data that is kept: later starts on it are faster. By default a temporary one. */
  dataDir?: string
  /** More settings of the service that is started. */
  environment?: Record<string, string>
}

/** A service for tests. */
export interface Bank {
  url: string
  /** The key of the first organisation. */
  apiKey: string
  /** A client with that key. */
  purser: Purser
  /** Creates an organisation: an empty bank that nothing else sees, for one test. */
  organisation(options?: OrganisationOptions): Promise<TestOrganisation>
  /** Stops the service, if `startPurser` started it, and the reception of webhooks. */
  stop(): Promise<void>
}

/** Starts Purser on a free port with a temporary folder, or joins the one that `PURSER_URL` names. */
export async function startPurser(options: StartOptions = {}): Promise<Bank> {
  const joined = options.url ?? process.env.PURSER_URL
  const service = joined ? undefined : await startService(options.dataDir, options.environment)
  const url = service?.url ?? joined ?? ''
  const apiKey = service?.apiKey ?? options.apiKey ?? process.env.PURSER_API_KEY ?? ''
  const purser = service ? new Purser({ url, apiKey }) : await join(url, apiKey, options.url === undefined)
  let receiver: Promise<ReceiverServer> | undefined
  return {
    url,
    apiKey,
    purser,
    organisation: async (own = {}) => {
      const created = await purser.sandbox.organisations.create(own)
      return new TestOrganisation(url, created, () => (receiver ??= openReceiverServer()))
    },
    stop: async () => {
      await (await receiver)?.close()
      await service?.stop()
    },
  }
}

/** A client of a sandbox that runs. A variable that is left from other work is named, because nothing in a test shows it. */
async function join(url: string, apiKey: string, fromEnvironment: boolean): Promise<Purser> {
  try {
    const purser = new Purser({ url, apiKey })
    const { mode } = await purser.me.get()
    if (mode !== 'sandbox') throw new Error(`${url} runs in ${mode} mode: tests need a sandbox`)
    return purser
  } catch (error) {
    if (!fromEnvironment) throw error
    const detail = `startPurser joins the service that PURSER_URL names; unset PURSER_URL to start one. ${(error as Error).message}`
    throw new Error(detail, { cause: error })
  }
}
