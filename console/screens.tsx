import { type ComponentType, lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { Reading } from './components/feedback/empty.tsx'
import { decoded, recordPath } from './routes.ts'
import { Home } from './screens/home.tsx'
import { NotFound } from './shell/not-found.tsx'

/** The screens of an area by their paths, and those of its records by the path of their list. */
export interface Area {
  pages: Record<string, ComponentType>
  records: Record<string, ComponentType<{ id: string }>>
}

/** Each area is read when one of its screens is opened, by the first name of the path. */
const areas: readonly (readonly [names: readonly string[], Screens: ComponentType])[] = [
  [
    [
      ...['accounts', 'applications', 'authorizations', 'cards', 'customers', 'documents', 'external-accounts'],
      ...['ledger', 'payments', 'rails', 'recurring-payments', 'review', 'statements', 'transactions'],
    ],
    screensOf(async () => (await import('./screens/bank/area.ts')).bank),
  ],
  [['closing'], screensOf(async () => (await import('./screens/closing/area.ts')).closing)],
  [['offers', 'rewards'], screensOf(async () => (await import('./screens/rewards/area.ts')).rewards)],
  [
    ['access', 'clock', 'events', 'move', 'requests', 'sandbox', 'webhooks'],
    screensOf(async () => (await import('./screens/developers/area.ts')).developers),
  ],
  [['reference'], screensOf(async () => (await import('./screens/developers/reference/area.tsx')).reference)],
]

/** Types of records that the general screen shows. */
const plain: Record<string, string> = {
  '/account-holds': 'accountHold',
  '/rewards/users': 'partnerUser',
  '/rewards/cards': 'partnerUserCard',
  '/rewards/activations': 'offerActivation',
  '/rewards/purchases': 'rewardableTransaction',
  '/rewards/payments': 'rewardPayment',
}

const RecordScreen = lazy(async () => ({ default: (await import('./screens/record.tsx')).RecordScreen }))

/** The screen of the present address. */
export function Screens() {
  const [path] = useLocation()
  const [, first = ''] = path.split('/')
  const area = areas.find(([names]) => names.includes(first))
  return (
    <Suspense fallback={<Reading lines={8} />}>
      <Switch>
        <Route path="/" component={Home} />
        {Object.entries(plain).map(([list, type]) => (
          <Route key={list} path={`${list}/:id`}>
            {({ id }) => <RecordScreen key={id} type={type} id={decoded(id)} />}
          </Route>
        ))}
        <Route path="/records/:type/:id">
          {({ type, id }) => {
            const target = recordPath(type, decoded(id))
            if (target.startsWith('/records/')) return <RecordScreen type={type} id={decoded(id)} />
            return <Redirect to={target} replace />
          }}
        </Route>
        {area && <Route component={area[1]} />}
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  )
}

/** The screens of an area, whose script is read when it is first shown. */
function screensOf(read: () => Promise<Area>): ComponentType {
  return lazy(async () => {
    const { pages, records } = await read()
    return { default: () => <AreaScreens pages={pages} records={records} /> }
  })
}

function AreaScreens({ pages, records }: Area) {
  return (
    <Switch>
      {Object.entries(pages).map(([path, Page]) => (
        <Route key={path} path={path} component={Page} />
      ))}
      {Object.entries(records).map(([path, Screen]) => (
        <Route key={path} path={`${path}/:id`}>
          {({ id }) => <Screen key={id} id={decoded(id)} />}
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  )
}
