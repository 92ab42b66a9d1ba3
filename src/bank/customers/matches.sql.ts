/**
 * The conditions of a search, which the lists and the search over all types share. Each is the condition of one index, and
 * a range instead of a pattern: a plan that is kept for every value can use it, and no character needs an escape.
 */

/** Whether an expression begins with a text, in any letter case. No name contains the last code point of Unicode, which ends the range. */
export function beginsWith(expression: string, text: string): string {
  return `lower(${expression}) collate "C" >= lower(${text}) collate "C"
    and lower(${expression}) collate "C" < lower(${text}) || chr(1114111) collate "C"`
}

/** A text as words, each after a space. */
export const words = (text: string) => `' ' || translate(lower(${text}), '-/.,:;#()', '         ')`

/** Whether one of some texts has the words of a text one after the other; the last word may be a beginning. A text without words finds nothing. */
export function haveWords(expressions: string[], text: string): string {
  // Selected, each is computed once and not for every row.
  const sought = `(select rtrim(${words(text)}))`
  const first = `(select ${firstWord(words(text))})`
  const some = expressions.map((each) => `strpos(${words(each)}, ${sought}) > 0`).join(' or ')
  return `${first} <> '' and ${haveText(expressions, first)} and (${some})`
}

/** The first word of a text whose words stand after spaces. */
export const firstWord = (text: string) => `split_part(ltrim(${text}), ' ', 1)`

/** Whether one of some texts has a text in lower case anywhere, which costs far less than to find words. */
export function haveText(expressions: string[], text: string): string {
  return `strpos(lower(${expressions.join(` || ' ' || `)}), ${text}) > 0`
}

/** The last word of a name. */
export const lastWord = `substring(name from '[^ ]+$')`

/** Whether a text is the account number of a row, or its last four digits. */
export function hasNumber(text: string): string {
  return `right(account_number, 4) = right(${text}, 4) and (account_number = ${text} or length(${text}) = 4)`
}

/** The number of an id; null for any other text. */
const idIn = (text: string) => `case when ${text} ~ '^[1-9][0-9]{6,15}$' then ${text}::bigint end`

/** A query of the people of an organisation (`$organisationId`) that a text names, with a limit for each way to find them. */
function peopleNamed(table: 'customer' | 'application', text: string, limit = ''): string {
  const found = (condition: string) =>
    `(select id from ${table} where organisation_id = $organisationId::bigint and ${condition} ${limit})`
  return [
    found(beginsWith('name', text)),
    found(beginsWith(lastWord, text)),
    found(`email is not null and ${beginsWith('email', text)}`),
    found(`id = ${idIn(text)}`),
  ].join(' union all ')
}

export function customersNamed(text: string, limit = ''): string {
  return peopleNamed('customer', text, limit)
}

/** The condition of a list of applications with a search. */
export function applicationMatches(text: string): string {
  return `id = any(array(${peopleNamed('application', text)}))`
}

/** The condition of a list of customers with a search. As an array, the ids are found first, whatever the list's order. */
export function customerMatches(text: string): string {
  return `id = any(array(${customersNamed(text)}))`
}

/** A query of the accounts that a text names: by their customer, who has the same name, their number or their id. */
export function accountsNamed(text: string, limit = ''): string {
  const found = (condition: string) =>
    `(select id from account where organisation_id = $organisationId::bigint and id > 0 and ${condition} ${limit})`
  return [
    found(`customer_id = any(array(${customersNamed(text, limit)}))`),
    found(hasNumber(text)),
    found(`id = ${idIn(text)}`),
  ].join(' union all ')
}

/** The condition of a list of accounts with a search. */
export function accountMatches(text: string): string {
  return `id = any(array(${accountsNamed(text)}))`
}
