import { date, digits, fixed, mandatory, number, optional, reserved, text, time } from './record.ts'

/** The records of an ACH file, column by column. */

export const fileHeader = {
  recordType: fixed(1, '1'),
  priorityCode: fixed(2, '01'),
  destinationBlank: fixed(4, ' '),
  /** Routing number of the ACH operator, or of the bank that forwards the file. */
  destination: digits(5, 9),
  /** A blank and nine digits, or ten characters that the receiving bank assigned. */
  origin: mandatory(14, 10),
  createdOn: date(24),
  createdAt: time(30),
  /** Distinguishes the files of one day, origin and destination. */
  modifier: mandatory(34, 1, { pattern: /^[A-Z0-9]$/, code: 'file_id_modifier' }),
  recordSize: fixed(35, '094'),
  blockingFactor: fixed(38, '10'),
  formatCode: fixed(40, '1'),
  destinationName: text(41, 23),
  originName: text(64, 23),
  reference: text(87, 8),
} as const

export const batchHeader = {
  recordType: fixed(1, '5'),
  serviceClass: number(2, 3),
  /** The receiver sees this name. */
  companyName: mandatory(5, 16, { pattern: /[^0 ]/, code: 'blank_field' }),
  companyData: text(21, 20),
  companyId: mandatory(41, 10),
  secCode: mandatory(51, 3),
  description: mandatory(54, 10),
  /** Free; `SD1300` and the like ask for a same-day window. */
  descriptiveDate: text(64, 6),
  effectiveDate: optional(date(70)),
  /** Day of the year, filled in by the ACH operator; blank in files that are sent. */
  settlementDay: optional(digits(76, 3)),
  originatorStatus: digits(79, 1),
  /** The first eight digits of the sending bank's routing number. */
  bank: digits(80, 8),
  number: number(88, 7),
} as const

export const entryDetail = {
  recordType: fixed(1, '6'),
  code: number(2, 2),
  /** The receiving bank, with the check digit. */
  routingNumber: digits(4, 9),
  accountNumber: mandatory(13, 17),
  /** Cents. */
  amount: number(30, 10),
  identification: text(40, 15),
  name: text(55, 22),
  discretionary: text(77, 2),
  addendaIndicator: digits(79, 1),
  traceNumber: digits(80, 15),
} as const

/** The header of a batch whose SEC code is not read. IAT has other texts in the place of the company. */
export const otherHeader = {
  ...batchHeader,
  companyName: text(5, 16),
  companyId: text(41, 10),
  secCode: text(51, 3),
  description: text(54, 10),
  originatorStatus: text(79, 1),
} as const

/** An entry whose SEC code is not read. */
export const otherEntry = {
  ...entryDetail,
  accountNumber: text(13, 17),
  addendaIndicator: text(79, 1),
  traceNumber: text(80, 15),
} as const

/** An IAT entry. */
export const internationalEntry = {
  recordType: fixed(1, '6'),
  code: number(2, 2),
  routingNumber: digits(4, 9),
  identification: text(13, 17),
  amount: number(30, 10),
  accountNumber: text(40, 35),
  discretionary: text(75, 4),
  addendaIndicator: text(79, 1),
  traceNumber: text(80, 15),
} as const

/** An advice of the ACH operator (ADV). It names an amount that was settled otherwise. */
export const adviceEntry = {
  recordType: fixed(1, '6'),
  code: number(2, 2),
  routingNumber: digits(4, 9),
  accountNumber: text(13, 15),
  amount: number(28, 12),
  identification: text(40, 15),
  name: text(55, 22),
  discretionary: text(77, 2),
  addendaIndicator: text(79, 1),
  traceNumber: text(80, 15),
} as const

export const terminalAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '02'),
  /** Terminal, day, authorization and place of a purchase. */
  text: text(4, 76),
  entryTrace: digits(80, 15),
} as const

export const paymentAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '05'),
  text: text(4, 80),
  number: number(84, 4),
  /** The last seven digits of the entry's trace number. */
  entrySequence: digits(88, 7),
} as const

export const changeAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '98'),
  code: mandatory(4, 3),
  originalTrace: digits(7, 15),
  reserved1: reserved(22, 6),
  originalBank: digits(28, 8),
  correctedData: text(36, 29),
  reserved2: reserved(65, 15),
  entryTrace: digits(80, 15),
} as const

export const refusedChangeAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '98'),
  code: mandatory(4, 3),
  originalTrace: digits(7, 15),
  reserved1: reserved(22, 6),
  originalBank: digits(28, 8),
  correctedData: text(36, 29),
  /** The change code that is refused, and the sequence number of its trace. */
  refusedCode: mandatory(65, 3),
  refusedSequence: digits(68, 7),
  reserved2: reserved(75, 5),
  entryTrace: digits(80, 15),
} as const

export const returnAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '99'),
  code: mandatory(4, 3),
  originalTrace: digits(7, 15),
  dateOfDeath: optional(date(22)),
  originalBank: digits(28, 8),
  information: text(36, 44),
  entryTrace: digits(80, 15),
} as const

export const dishonourAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '99'),
  code: mandatory(4, 3),
  originalTrace: digits(7, 15),
  reserved1: reserved(22, 6),
  originalBank: digits(28, 8),
  reserved2: reserved(36, 3),
  returnTrace: digits(39, 15),
  returnSettlementDay: optional(digits(54, 3)),
  /** Without the R. */
  returnReason: digits(57, 2),
  information: text(59, 21),
  entryTrace: digits(80, 15),
} as const

export const contestAddenda = {
  recordType: fixed(1, '7'),
  addendaType: fixed(2, '99'),
  code: mandatory(4, 3),
  originalTrace: digits(7, 15),
  returnedOn: optional(date(22)),
  originalBank: digits(28, 8),
  originalSettlementDay: optional(digits(36, 3)),
  returnTrace: digits(39, 15),
  returnSettlementDay: optional(digits(54, 3)),
  returnReason: digits(57, 2),
  dishonourTrace: digits(59, 15),
  dishonourSettlementDay: optional(digits(74, 3)),
  dishonourReason: digits(77, 2),
  reserved1: reserved(79, 1),
  entryTrace: digits(80, 15),
} as const

export const batchControl = {
  recordType: fixed(1, '8'),
  serviceClass: number(2, 3),
  entryCount: number(5, 6),
  entryHash: number(11, 10),
  debits: number(21, 12),
  credits: number(33, 12),
  companyId: text(45, 10),
  authentication: text(55, 19),
  reserved1: reserved(74, 6),
  bank: digits(80, 8),
  number: number(88, 7),
} as const

export const adviceBatchControl = {
  recordType: fixed(1, '8'),
  serviceClass: number(2, 3),
  entryCount: number(5, 6),
  entryHash: number(11, 10),
  debits: number(21, 20),
  credits: number(41, 20),
  authentication: text(61, 19),
  bank: digits(80, 8),
  number: number(88, 7),
} as const

/** The control of a file that has advices only. */
export const adviceFileControl = {
  recordType: fixed(1, '9'),
  batchCount: number(2, 6),
  blockCount: number(8, 6),
  entryCount: number(14, 8),
  entryHash: number(22, 10),
  debits: number(32, 20),
  credits: number(52, 20),
  reserved1: reserved(72, 23),
} as const

export const fileControl = {
  recordType: fixed(1, '9'),
  batchCount: number(2, 6),
  blockCount: number(8, 6),
  entryCount: number(14, 8),
  entryHash: number(22, 10),
  debits: number(32, 12),
  credits: number(44, 12),
  reserved1: reserved(56, 39),
} as const
