import { createHash } from 'node:crypto'
import { isProblem, type PurserProblem } from '../../../client/src/index.ts'
import { exitCodes, UsageError } from '../../../ground/failure.ts'
import type { Call, Command } from '../../command.ts'
import { problemCode } from '../../failure.ts'
import { parseJson, readFile } from '../../files.ts'

export const campaignOffersImport: Command = {
  path: 'campaign-offers import',
  summary: 'Adds the offers of a file to a campaign',
  description:
    'Reads a file of JSON Lines, one offer a line, as createCampaignOffer takes it. Nothing is sent of a file with a line that is not JSON. Otherwise each offer stands alone: some may be added and others refused. The same line is added to a campaign once, also if the file is imported again. The exit code is 1 if an offer was refused, and 5 if all that failed are worth a retry.',
  group: 'Records',
  arguments: [
    { name: 'campaign-id', description: 'Id of the campaign' },
    { name: 'file', description: 'File of JSON Lines; - for standard input' },
  ],
  examples: [
    {
      run: 'purser campaign-offers import "$CAMPAIGN" campaign-offers.jsonl',
      does: 'Adds the offers of a file',
    },
  ],
  run,
}

async function run(call: Call): Promise<number> {
  const { args, out } = call
  const [campaignId = '', file = ''] = args
  if (campaignId === '') throw new UsageError('campaign-id is missing')
  const offers = await offersOf(call, file)
  const purser = call.purser()
  const refusals: PurserProblem[] = []
  for (const { line, text, offer } of offers) {
    const idempotencyKey = `offer-${createHash('sha256').update(`${campaignId} ${text}`).digest('hex')}`
    try {
      const { id, title } = await purser.campaignOffers.create(campaignId, offer as never, { idempotencyKey })
      out.result({ line, id }, `line ${line}: ${title}, offer ${id}`)
    } catch (error) {
      if (!isProblem(error)) throw error
      const reason = error.errors.map(({ message }) => message).join('; ') || error.detail || error.title
      out.result({ line, problem: error.code, detail: reason }, `line ${line}: ${error.code}: ${reason}`)
      refusals.push(error)
    }
  }
  if (refusals.length === 0) return 0
  out.note(`${refusals.length} of ${offers.length} offers were refused.`)
  const codes = new Set(refusals.map(problemCode))
  return codes.size === 1 ? Math.max(...codes) : exitCodes.refused
}

/** The lines of a file that are not empty, each with its number. */
async function offersOf({ input }: Call, file: string) {
  const text = file === '-' ? await input() : readFile(file).toString('utf8')
  const lines = text.split('\n').map((each, at) => ({ line: at + 1, text: each.trim() }))
  const offers = lines
    .filter((each) => each.text !== '')
    .map((each) => ({ ...each, offer: parseJson(`line ${each.line}`, each.text) }))
  if (offers.length === 0) throw new UsageError(`${file === '-' ? 'standard input' : file} has no offer`)
  return offers
}
