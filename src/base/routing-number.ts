const weights = [3, 7, 1]

/** Whether the ABA checksum holds: 3, 7 and 1 times the digits in turn add up to a multiple of ten. */
export function hasRoutingChecksum(routingNumber: string): boolean {
  return weightedSum(routingNumber) % 10 === 0
}

/**
 * Whether a bank has such a number: the first two digits are of a Federal Reserve district (01 to 12), of a thrift (21 to 32)
 * or of electronic transfers (61 to 72).
 */
export function hasBankPrefix(routingNumber: string): boolean {
  const prefix = Number(routingNumber.slice(0, 2))
  return [0, 20, 60].some((base) => prefix > base && prefix <= base + 12)
}

/** The ninth digit of a routing number, of its first eight. */
export function checkDigitOf(eightDigits: string): string {
  return String((10 - (weightedSum(eightDigits) % 10)) % 10)
}

function weightedSum(digits: string): number {
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0)
}
