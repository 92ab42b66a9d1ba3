import { words } from '../../data/format.ts'
import styles from './state.module.css'

/** The colour of each state; a state that is not named is neutral. */
const tones: Record<string, 'good' | 'warn' | 'bad'> = {
  Open: 'good',
  Active: 'good',
  Sent: 'good',
  Completed: 'good',
  Approved: 'good',
  Executed: 'good',
  Delivered: 'good',
  Succeeded: 'good',
  Enabled: 'good',
  Holds: 'good',
  PAID: 'good',
  CONFIRMED: 'good',
  Won: 'good',
  Balanced: 'good',
  'Closed day': 'good',
  Settled: 'good',
  Acknowledged: 'good',
  Applied: 'good',
  'Open day': 'warn',
  Frozen: 'warn',
  Inactive: 'warn',
  Pending: 'warn',
  PendingReview: 'warn',
  Clearing: 'warn',
  MarkedForReturn: 'warn',
  Authorized: 'warn',
  AwaitingDocuments: 'warn',
  Retrying: 'warn',
  Waiting: 'warn',
  Paused: 'warn',
  Incomplete: 'warn',
  Warning: 'warn',
  Required: 'warn',
  ReceivedFront: 'warn',
  ReceivedBack: 'warn',
  PENDING: 'warn',
  Returned: 'bad',
  Rejected: 'bad',
  Refused: 'bad',
  Unknown: 'bad',
  Declined: 'bad',
  Denied: 'bad',
  Failed: 'bad',
  Stopped: 'bad',
  Failing: 'bad',
  Disabled: 'bad',
  Broken: 'bad',
  Over: 'bad',
  'Not balanced': 'bad',
  Invalid: 'bad',
  Lost: 'bad',
  Stolen: 'bad',
  SuspectedFraud: 'bad',
  REJECTED: 'bad',
  REVERSED: 'bad',
  CLAWED_BACK: 'bad',
}

/** A state in its colour. */
export function State({ of: state }: { of: string }) {
  return <span className={`${styles.state} ${styles[tones[state] ?? 'neutral']}`}>{words(state)}</span>
}

/** The status of an HTTP answer in its colour. */
export function Status({ of: status }: { of: number | null }) {
  const tone = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <span className={`${styles.state} ${styles[tone]}`}>{status ?? 'No answer'}</span>
}
