import { useQueryClient } from '@tanstack/react-query'
import { useMay, useSend } from '../../data/purser.tsx'
import { ProblemNote } from '../feedback/problem.tsx'

/** The outcome of a delivery is no event: it is read after this time. */
const OUTCOME_MS = 2_000

interface Props {
  /** The ids of the deliveries, in the order in which they are sent. */
  of: readonly string[]
  label?: string
  className?: string
  done?(): void
}

/** Sends deliveries again, each to its endpoint alone. */
export function SendAgain({ of: ids, label = 'Send again', className, done }: Props) {
  const may = useMay('redeliverDelivery')
  const queries = useQueryClient()
  const { mutateAsync, isPending, error } = useSend('redeliverDelivery')
  if (!may) return null
  const send = async () => {
    for (const deliveryId of ids) await mutateAsync({ params: { deliveryId } })
    setTimeout(() => queries.invalidateQueries(), OUTCOME_MS)
    done?.()
  }
  return (
    <>
      <ProblemNote error={error} />
      <button
        type="button"
        className={className}
        disabled={isPending || ids.length === 0}
        onClick={() => send().catch(() => undefined)}
      >
        {isPending ? 'Sending…' : label}
      </button>
    </>
  )
}
