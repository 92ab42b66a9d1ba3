import { dollars } from '../../../ground/text.ts'
import { openPace } from '../../base/pace.ts'
import {
  longDate,
  monthName,
  periodDates,
  type StatementDocument,
  shortDate,
  signedDollars,
} from './statement-document.ts'

/** The style of every statement, in a `style` element. A page that shows a statement allows it by its hash. */
export const statementStyle = `*{box-sizing:border-box}body{font:14px/1.45 Helvetica,Arial,"Liberation Sans",sans-serif;color:#1a2330;background:#fff;margin:0 auto;
padding:2.5rem 1.5rem;max-width:52rem}header{display:flex;justify-content:space-between;align-items:baseline;border-bottom:2px solid #12355b;
padding-bottom:.7rem}.bank{font-size:1.5rem;font-weight:700;color:#12355b}h1{font-size:1.05rem;margin:0;text-align:right}
h2{font-size:1rem;margin:2rem 0 .5rem}.small{color:#5b6675;font-size:.85rem}.parties{display:flex;justify-content:space-between;gap:2rem;margin:1.6rem 0}
address{font-style:normal;overflow-wrap:anywhere}dl{display:grid;grid-template-columns:auto auto;gap:.15rem 1.2rem;margin:0}dt{color:#5b6675}
dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}.sums{display:grid;grid-template-columns:repeat(4,1fr);background:#f2f5f9;
border-radius:6px}.sums div{padding:.8rem 1rem}.sums b{display:block;font-size:1.1rem;font-variant-numeric:tabular-nums}table{border-collapse:collapse;width:100%}
th{color:#5b6675;font-size:.8rem;font-weight:600;border-bottom:1px solid #12355b}th,td{text-align:left;padding:.4rem .5rem;vertical-align:top}
td{border-bottom:1px solid #e3e7ec;overflow-wrap:anywhere}.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.edge td{color:#5b6675}tfoot td{font-weight:600;border-bottom:2px solid #12355b}tr{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}
@media print{body{padding:0;max-width:none;font-size:10pt}.sums{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
@page{size:letter;margin:18mm;@bottom-right{content:"Page " counter(page) " of " counter(pages);font:8pt Helvetica,Arial,sans-serif;color:#5b6675}}`

/** The statement as one page that needs nothing else, for a screen and for a printer. */
export async function statementHtml(document: StatementDocument): Promise<string> {
  const pace = openPace()
  const rows: string[] = []
  for (const line of document.lines) {
    rows.push(row(line))
    await pace()
  }
  return pageOf(document, rows.join('\n'))
}

function pageOf(document: StatementDocument, rows: string): string {
  const { bank, holder, address, accountNumber, routingNumber, period, openingBalance, closingBalance } = document
  const { first, last } = periodDates(period)
  const title = `Account statement, ${monthName(period)}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${statementStyle}</style></head>
<body>
<header><div class="bank">${escapeHtml(bank)}</div><div><h1>Account statement</h1>${first} to ${last}</div></header>
<div class="parties">
<address>${[`<b>${escapeHtml(holder)}</b>`, ...address.map(escapeHtml)].join('<br>')}</address>
<dl>${facts([
    ['Account', 'Checking'],
    ['Account number', accountNumber],
    ['Routing number', routingNumber],
    ['Statement number', document.statementId],
    ['Statement date', longDate(document.createdAt)],
  ])}</dl>
</div>
<div class="sums">
<div>Opening balance<b>${dollars(openingBalance)}</b></div>
<div>Total credits (${document.credits.count})<b>${signedDollars(document.credits.total)}</b></div>
<div>Total debits (${document.debits.count})<b>${signedDollars(document.debits.total)}</b></div>
<div>Closing balance<b>${dollars(closingBalance)}</b></div>
</div>
<h2>Transactions</h2>
<table>
<thead><tr><th>Date</th><th>Description</th><th class="number">Amount</th><th class="number">Balance</th></tr></thead>
<tbody>
<tr class="edge"><td>${shortDate(`${period}-01`)}</td><td>Opening balance</td><td></td><td class="number">${dollars(openingBalance)}</td></tr>
${rows || '<tr><td></td><td colspan="3">No transactions in this period.</td></tr>'}
</tbody>
<tfoot><tr><td></td><td>Closing balance on ${last}</td><td></td><td class="number">${dollars(closingBalance)}</td></tr></tfoot>
</table>
<p class="small">Amounts are in US dollars. Dates are in Coordinated Universal Time (UTC).</p>
</body></html>
`
}

function row({ createdAt, summary, amount, balance }: StatementDocument['lines'][number]): string {
  return `<tr><td>${shortDate(createdAt)}</td><td>${escapeHtml(summary)}</td><td class="number">${signedDollars(amount)}</td><td class="number">${dollars(balance)}</td></tr>`
}

function facts(pairs: [name: string, value: string][]): string {
  return pairs.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`).join('')
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
}
