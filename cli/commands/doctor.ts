import { padded, visible } from '../../ground/text.ts'
import type { Call, Command } from '../command.ts'
import { findings } from '../doctor/findings.ts'

export const doctor: Command = {
  path: 'doctor',
  summary: 'Finds what is wrong, and says the next step',
  description:
    'Checks Node.js, the environment, the data folder, the database server, the service, the key, the clocks, the webhook endpoints and the laws of the ledger. Run it with the variables of the service: without --server and PURSER_URL it looks at the address of HOST and PORT. Changes nothing. Exits with 1 if a check failed.',
  group: 'Service',
  examples: [{ run: 'purser doctor', does: 'Checks the service of this machine' }],
  ofOwnService: true,
  run,
}

const marks = { ok: 'green', warning: 'yellow', failed: 'red' } as const

async function run(call: Call): Promise<number> {
  const { out, dryRun } = call
  if (dryRun) {
    out.note('purser doctor changes nothing: run it without --dry-run')
    return 0
  }
  let failed = 0
  for await (const found of findings(call)) {
    if (found.status === 'failed') failed += 1
    if (!out.forPeople) out.record(found)
    else {
      const status = out.colors[marks[found.status]](padded(found.status, 7))
      // The check of a cell has a longer name, which is shown in full.
      const check = padded(found.check, Math.max(11, found.check.length))
      out.line(`${status}  ${check}  ${visible(found.detail)}`)
      if (found.next) out.line(`${' '.repeat(22)}${out.colors.dim(visible(found.next))}`)
    }
  }
  return failed > 0 ? 1 : 0
}
