import { openFakeUnit } from '../test/support/fakes/unit.ts'
import { serveHere } from './serve-here.ts'

/** An upstream that answers every request with one account of the fake's, after a while. Run by the benchmark. */
const { delayMs } = JSON.parse(process.argv[2] ?? '{}') as { delayMs: number }

const fake = await openFakeUnit()
const account = fake.books.add(
  'accounts',
  'depositAccount',
  {
    name: 'Ada Example',
    depositProduct: 'checking',
    routingNumber: '812345678',
    accountNumber: '1000000042',
    currency: 'USD',
    balance: 100_00,
    hold: 0,
    available: 100_00,
    status: 'Open',
    tags: {},
  },
  { customer: { data: { type: 'customer', id: fake.addCustomer().id } } },
)
await fake.close()
const body = JSON.stringify({ data: account })

serveHere((_request, response) => {
  const answer = () => response.writeHead(200, { 'Content-Type': 'application/vnd.api+json' }).end(body)
  if (delayMs > 0) setTimeout(answer, delayMs)
  else answer()
})
