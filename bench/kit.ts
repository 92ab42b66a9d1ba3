import { spawnSync } from 'node:child_process'
import { type Bank, startPurser, type TestOrganisation } from '../testing/index.ts'
import type { Desk } from './desk.ts'
import { medianOf } from './figures.ts'

const ORGANISATIONS = 200
const WARM_UP = 20
const COMMANDS = 15
export const suiteTests = 200

/** The test kit: organisations created one after the other, and a suite of tests with one each, its start included. */
export async function kitRounds({ figures, options, say, fault }: Desk): Promise<void> {
  for (let round = 1; round <= options.rounds; round++) {
    const startedMs = performance.now()
    const bank = await startPurser()
    try {
      for (let number = 0; number < suiteTests; number++) await sampleTest(await bank.organisation(), number, fault)
      const suiteMs = performance.now() - startedMs
      const times: number[] = []
      for (let made = 0; made < WARM_UP + ORGANISATIONS; made++) {
        const beganMs = performance.now()
        await bank.organisation()
        if (made >= WARM_UP) times.push(performance.now() - beganMs)
      }
      const median = medianOf(times) ?? Number.NaN
      figures.add('kit organisation', median)
      figures.add('kit organisation slowest', Math.max(...times))
      figures.add('kit suite', suiteMs)
      measureCommands(bank, { figures, options, say, fault })
      say(`an organisation ${median.toFixed(1)} ms, ${suiteTests} tests ${Math.round(suiteMs)} ms`)
    } finally {
      await bank.stop()
    }
  }
}

/** The command line, from its start to its end: the help, which needs no service, and a list of a small bank. */
function measureCommands({ url, apiKey }: Bank, { figures, say, fault }: Desk): void {
  // A file of certificates would be read at each start of Node, which takes longer than the command.
  const { NODE_EXTRA_CA_CERTS: _certificates, ...environment } = process.env
  const env = { ...environment, PURSER_URL: url, PURSER_API_KEY: apiKey }
  for (const words of [['--help'], ['payments', 'list']]) {
    const times: number[] = []
    for (let run = 0; run <= COMMANDS; run++) {
      const beganMs = performance.now()
      const { status, stderr } = spawnSync(process.execPath, ['bin/purser.js', ...words], { env, encoding: 'utf8' })
      // The first one may have to bundle the sources.
      if (run > 0) times.push(performance.now() - beganMs)
      if (status !== 0) fault(`purser ${words.join(' ')} ended with ${status}: ${stderr}`)
    }
    const median = medianOf(times) ?? Number.NaN
    figures.add(`purser ${words.join(' ')}`, median)
    say(`purser ${words.join(' ')} ${Math.round(median)} ms`)
  }
}

/** A test as users of the kit write it: an account that is paid into and pays. */
async function sampleTest({ purser }: TestOrganisation, number: number, fault: Desk['fault']): Promise<void> {
  const { id: customerId } = await purser.sandbox.customers.create({ name: 'Ada Example' })
  const { id: accountId } = await purser.accounts.create({ customerId })
  await purser.sandbox.accounts.receiveAch(accountId, { amount: 5_000, companyName: 'Sample Payroll' })
  const counterparty = await purser.externalAccounts.create(customerId, {
    type: 'Person',
    name: 'Grace Sample',
    routingNumber: '021000021',
    accountNumber: '9876543210',
    accountType: 'Checking',
  })
  await purser.payments.create(accountId, {
    amount: 2_000,
    counterpartyAccountId: counterparty.id,
    originalType: 'ACH',
    description: 'Rent',
  })
  const { balance } = await purser.accounts.get(accountId)
  if (balance !== 3_000) fault(`the balance in test ${number} is ${balance}, not 3,000`)
}
