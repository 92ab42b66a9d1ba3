import { Link } from 'wouter'
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

function useSteps(): Step[] {
  const one = { query: { limit: 1 } }
  const customers = useList('listCustomers', one)
  const accounts = useList('listAccounts', one)
  const payments = useList('listPayments', { query: { limit: 1, type: ['achPayment'] } })
  const requests = useList('listRequests', one, { everyMs: everyMs.sent })
  const endpoints = useList('listWebhookEndpoints', one)
  const rewards = useList('listRewards', one)
  const all: (Step & { may: boolean })[] = [
    { text: 'Create a customer', path: '/customers', done: customers.rows.length > 0, may: useMay('listCustomers') },
    { text: 'Open an account', path: '/customers', done: accounts.rows.length > 0, may: useMay('listAccounts') },
    { text: 'Send a payment', path: '/accounts', done: payments.rows.length > 0, may: useMay('listPayments') },
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
    { text: 'Earn a reward with a card', path: '/cards', done: rewards.rows.length > 0, may: useMay('listRewards') },
  ]
  return all.filter(({ may }) => may)
}
