/** The bank behind a routing number, where it is a well-known one. */
export function bankName(routingNumber: string): string {
  return bankNames.get(routingNumber) ?? 'Unknown Bank'
}

export const bankNames = new Map<string, string>([['021000021', 'JPMorgan Chase']])
