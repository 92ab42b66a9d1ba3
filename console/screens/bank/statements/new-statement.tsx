import { Action } from '../../../components/forms/actions.tsx'
import { monthBefore, useBankDay } from '../../../data/bank-time.ts'

interface Props {
  accountId: string
  label?: string
  /** Gets the id of the new statement. */
  done?(id: string): void
}

/** Makes the statement of a month that is over. */
export function NewStatement({ accountId, label = 'New…', done }: Props) {
  const today = useBankDay()
  if (!today) return null
  const fields = [{ name: 'period', label: 'Month', kind: 'month', initial: monthBefore(today) }] as const
  return (
    <Action
      operation="createStatement"
      form={{ label, title: 'New statement', fields }}
      target={{ accountId }}
      done={({ id }) => done?.(id)}
    />
  )
}
