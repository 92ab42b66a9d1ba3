import type { StormApp, Subject } from '../storm/life.ts'
import { type StormOptions, type Survived, stormAt } from '../storm/storm.ts'
import { type Bank, startPurser } from './start-purser.ts'

/**
 * Lives weeks of hostile but legal bank life against your app, again and again, and throws the shortest life that breaks one of your
 * laws. Without a bank, one is started whose payments leave with ACH files.
 *
 * @example
 * await storm({ start, actions: { 'pay invoice': (app, { number, amount }) => app.pay(number, amount) }, laws, seed: 1 })
 */
export async function storm<App extends StormApp>(
  options: Subject<App> & StormOptions & { bank?: Pick<Bank, 'url' | 'purser'> },
): Promise<Survived> {
  if (options.bank) return stormAt(options.bank, options, options)
  const bank = await startPurser({ environment: { PURSER_ACH: 'windows' } })
  try {
    return await stormAt(bank, options, options)
  } finally {
    await bank.stop()
  }
}
