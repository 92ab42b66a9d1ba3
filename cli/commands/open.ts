import { spawn } from 'node:child_process'
import type { LookedUp } from '../../client/src/index.ts'
import type { Call, Command } from '../command.ts'
import { lookUp } from './get.ts'

export const open: Command = {
  path: 'open',
  summary: 'Opens the API reference, at the operation of a record if one is named',
  description:
    'Prints the address. On a terminal it also opens the browser. A record leads to the operation that reads its type.',
  group: 'Service',
  arguments: [{ name: 'id', description: 'Id of a record', optional: true }],
  options: [{ flags: '--type <type>', description: 'Type of the record, such as payment' }],
  examples: [
    { run: 'purser open', does: 'Opens the API reference' },
    { run: 'purser open "$PAYMENT" --type payment', does: 'Opens the reference at the operation that reads payments' },
  ],
  run: async (call) => {
    const address = await addressOf(call)
    call.out.line(call.out.forPeople ? address : JSON.stringify({ url: address }))
    if (call.out.forPeople && !call.dryRun) openBrowser(address, call)
  },
}

/** The operations that read one type of record, by their places in the reference. */
export const readers: Partial<Record<LookedUp['type'], string>> = {
  account: 'banking/getAccount',
  application: 'banking/getApplication',
  authorization: 'banking/getAuthorization',
  card: 'banking/getCard',
  customer: 'banking/getCustomer',
  delivery: 'events/getDelivery',
  event: 'events/getEvent',
  payment: 'banking/getPayment',
  request: 'events/getRequest',
  reward: 'rewards/getReward',
  statement: 'banking/getStatement',
  transaction: 'banking/getTransaction',
  webhookEndpoint: 'events/getWebhookEndpoint',
}
/** The operation that reads every type. */
export const ANY_READER = 'tools/lookUpRecord'

async function addressOf(call: Call): Promise<string> {
  const docs = `${call.settings.url}/docs`
  if (call.args.length === 0) return docs
  const [first] = await lookUp(call)
  return `${docs}#/${(first && readers[first.type]) ?? ANY_READER}`
}

/** Programs that open an address. None of them is a shell, which could take a part of the address for a command. */
const openers: Partial<Record<NodeJS.Platform, [program: string, ...parameters: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

function openBrowser(address: string, { out }: Call): void {
  const [program, ...parameters] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...parameters, address], { stdio: 'ignore', detached: true })
  child.on('error', () => out.note('No browser can be opened here: open the address yourself.'))
  child.unref()
}
