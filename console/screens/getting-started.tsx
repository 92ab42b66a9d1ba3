import { Link } from 'wouter'
import type { Event } from '../../client/src/index.ts'
import { Card } from '../components/layout/card.tsx'
import { useList } from '../data/list.ts'
import { everyMs } from '../data/live.ts'
import { useMay } from '../data/purser.tsx'
import styles from './home.module.css'

/** The first steps of a developer, each ticked off as soon as the bank has its result. */
export function GettingStarted() {
  const steps = useSteps()
  const left = steps.filter(({ done }) => !done).length
  if (left === 0) return null
  return (
    <Card
      title="Getting started"
      aside={
        <span>
          {steps.length - left} of {steps.length}
        </span>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ text, path, done }) => (
          <li key={text} className={done ? styles.done : undefined}>
            <span>
              {done ? text : <Link href={path}>{text}</Link>}
              {done && <span className="unseen">, done</span>}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface Step {
  text: string
  path: string
  done: boolean
}

/** Whether the latest events of a type include one that the reader caused: the demo world names its request so. */
function useCaused(type: Event['type']): boolean {
  const { rows } = useList('listEvents', { query: { type: [type], sort: '-sequence', limit: 20 } })
  return rows.some(({ request }) => request.id !== null && request.id !== 'demo')
}

function useSteps(): Step[] {
  const one = { query: { limit: 1 } }
  const may = useMay('listEvents')
  const mayEarn = useMay('listRewards')
  const requests = useList('listRequests', one, { everyMs: everyMs.sent })
  const endpoints = useList('listWebhookEndpoints', one)
  const all: (Step & { may: boolean })[] = [
    { text: 'Create a customer', path: '/customers', done: useCaused('customer.created'), may },
    { text: 'Open an account', path: '/customers', done: useCaused('account.created'), may },
    { text: 'Send a payment', path: '/accounts', done: useCaused('payment.created'), may },
    {
      text: 'Call the service from your app',
      path: '/reference/connect',
      done: requests.rows.length > 0,
      may: useMay('listRequests'),
    },
    {
      text: 'Receive webhooks',
      path: '/webhooks',
      done: endpoints.rows.length > 0,
      may: useMay('listWebhookEndpoints'),
    },
    { text: 'Earn a reward with a card', path: '/cards', done: useCaused('reward.created'), may: mayEarn && may },
  ]
  return all.filter((step) => step.may)
}
