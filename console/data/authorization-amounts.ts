import type { LedgerTransfer } from '../../client/src/index.ts'

/** Settlements release their part of the hold; all of it is released when the authorization ends. */
export function amountsOf(
  { amount, status }: { amount: number; status: string },
  transfers: readonly Pick<LedgerTransfer, 'kind' | 'amount'>[],
): { held: number; settled: number; refunded: number } {
  const sum = (kind: string) =>
    transfers.filter((transfer) => transfer.kind === kind).reduce((total, transfer) => total + transfer.amount, 0)
  const settled = sum('cardSettlement')
  const held = status === 'Authorized' ? Math.max(0, amount - settled) : 0
  return { held, settled, refunded: sum('cardRefund') }
}
