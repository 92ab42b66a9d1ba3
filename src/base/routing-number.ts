const weights = [3, 7, 1]

/** Whether the ABA checksum holds: 3, 7 and 1 times the digits in turn add up to a multiple of ten. */
export function hasRoutingChecksum(routingNumber: string): boolean {
  return weightedSum(routingNumber) % 10 === 0
}

/** The ninth digit of a routing number, of its first eight. */
export function checkDigitOf(eightDigits: string): string {
  return String((10 - (weightedSum(eightDigits) % 10)) % 10)
}

function weightedSum(digits: string): number {
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0)
}
