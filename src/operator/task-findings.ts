import type { Finding } from '../../ground/finding.ts'
import { messageOf } from '../base/message-of.ts'
import type { Config } from '../config.ts'

const ANSWER_MS = 5_000
/** The limit of the alerts on tasks, in seconds. */
const STALLED = 600

/** The background tasks of the service on this machine, as its metrics show them. */
export async function taskFindings({ mode, host, metricsPort }: Config): Promise<Finding[]> {
  const check = 'tasks'
  if (metricsPort === undefined) {
    const next = 'Set PURSER_METRICS_PORT, and watch it with the alerts of deploy/prometheus'
    return mode === 'live'
      ? [{ check, status: 'warning', detail: 'nobody watches this service: it has no metrics', next }]
      : []
  }
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${metricsPort}/metrics`
  let text: string
  try {
    text = await (await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })).text()
  } catch (error) {
    const next = 'Is the service running on this machine, with the same PURSER_METRICS_PORT?'
    return [{ check, status: 'warning', detail: `no metrics at ${url}: ${messageOf(error)}`, next }]
  }
  const stalled = stalledTasks(text)
  if (stalled.length === 0) return [{ check, status: 'ok', detail: 'all background tasks come to their end' }]
  const next = 'The lines “background task failed” in the log of the service have the reason'
  return [{ check, status: 'failed', detail: `these tasks stand still or fail: ${stalled.join(', ')}`, next }]
}

/** The names of the tasks that have not come to their end for too long, or that fail for too long. */
export function stalledTasks(metrics: string): string[] {
  const lines = metrics.matchAll(/^purser_task_(?:idle|failing)_seconds\{(?:.*,)?task="([^"]+)".*\} (\S+)$/gm)
  return [...new Set([...lines].flatMap(([, task = '', seconds]) => (Number(seconds) > STALLED ? [task] : [])))]
}
