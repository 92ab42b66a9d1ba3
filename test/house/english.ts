import { type Source, type Words, wordsOf } from './source.ts'

/** A habit of writing that a stranger stumbles over, and the cure. */
const habits: [pattern: RegExp, cure: string][] = [
  [/\bwhoever\b/i, 'name the person or the program'],
  // "What it cost:" is a label in the header of a file that holds a trick.
  [/(^|[.:;] )(What|Who) (?!it cost:)[^?]*$/, 'begin with the subject'],
  [/\b(tells?|telling|told)\b/i, 'an event is emitted, a fault is reported'],
  [/\bMOST_[A-Z]/, 'MAX_'],
]

/** The same in comments. In other texts these words may be SQL. */
const commentHabits: typeof habits = [
  [
    /\b(undefined|null|absent|present|false|true|none|empty|also|only|throws|fails|refuses|rejects) where\b/i,
    'if or when',
  ],
]

/** The same in pages. */
const pageHabits: typeof habits = [
  [/\b(absent|null|only|also|empty|refused|declined|answered|fails|none|out|goes) where\b/i, 'if or when'],
  [/\bshall\b|\bunless said\b|\bbut for\b/i, 'must, by default, except for'],
  [/(^(- )?|[.:] )\**(Refused|Noted|Kept|Asked|Counted|Shown)( as a whole)?\** (is|are)\b/, 'begin with the subject'],
]

/** The lines of a page that a stranger stumbles over. */
export function oddLines(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => habitsOf(line, pageHabits).map((habit) => `${path}:${index + 1}: ${habit}`))
}

/** The habits that a text has, each with its cure. */
export function habitsOf(text: string, looked = habits): string[] {
  return looked
    .filter(([pattern]) => pattern.test(text))
    .map(([pattern, cure]) => `${pattern.exec(text)?.[0].slice(0, 60)} → ${cure}`)
}

const isProse = ({ kind, words }: Words) => kind === 'comment' || /[a-z] [a-z]/i.test(words)

/** The comments and texts of a file that a stranger stumbles over, as `path:line: words → cure`. */
export function oddEnglish(source: Source): string[] {
  return wordsOf(source)
    .filter(isProse)
    .flatMap(({ line, words, kind }) =>
      habitsOf(words, kind === 'comment' ? [...habits, ...commentHabits] : habits).map(
        (habit) => `${source.path}:${line}: ${habit}`,
      ),
    )
}
