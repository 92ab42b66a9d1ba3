import { returnCodes, returnInWords } from '../../../rails/ach/codes.ts'
import { optionalText, type Resource } from '../resource.ts'

/** Unit's words for the return codes, in the order of the codes. */
const wordsByCode = {
  R01: 'InsufficientFunds',
  R02: 'AccountClosed',
  R03: 'NoAccount',
  R04: 'InvalidAccountNumberStructure',
  R05: 'UnauthorizedDebitToConsumer',
  R06: 'ReturnedPerOdfiRequest',
  R07: 'AuthorizationRevokedByCustomer',
  R08: 'PaymentStopped',
  R09: 'UncollectedFunds',
  R10: 'CustomerAdvisesNotAuthorized',
  R12: 'BranchSoldToAnotherDfi',
  R13: 'RdfiNotQualifiedToParticipate',
  R14: 'RepresentativePayeeDeceasedOrUnableToContinue',
  R15: 'BeneficiaryOrBankAccountHolderDeceased',
  R16: 'AccountFrozen',
  R17: 'FileRecordEditCriteria',
  R18: 'ImproperEffectiveEntryDate',
  R19: 'AmountFieldError',
  R20: 'NonTransactionAccount',
  R21: 'InvalidCompanyIdentification',
  R22: 'InvalidIndividualIdNumber',
  R23: 'CreditEntryRefusedByReceiver',
  R24: 'DuplicateEntry',
  R25: 'AddendaError',
  R26: 'MandatoryFieldError',
  R27: 'TraceNumberError',
  R28: 'RoutingNumberCheckDigitError',
  R29: 'CorporateCustomerAdvisesNotAuthorized',
  R31: 'PermissibleReturnEntry',
}
const codeByWord = new Map(Object.entries(wordsByCode).map(([code, word]) => [word.toLowerCase(), code]))

/**
 * The return code of a record and its meaning. Unit gives a word, a code, or a text with a code in it. A reason without a known
 * code is shown as Unit gives it.
 */
export function returnOf(resource: Resource, ...members: string[]): { returnCode?: string; returnReason?: string } {
  const reasons = members.flatMap((member) => optionalText(resource, member) ?? [])
  for (const reason of reasons) {
    const code = codeByWord.get(reason.toLowerCase()) ?? /\bR\d\d\b/.exec(reason)?.[0]
    if (code !== undefined && Object.hasOwn(returnCodes, code)) return returnInWords(code)
  }
  const [returnReason] = reasons
  return returnReason === undefined ? {} : { returnReason }
}
