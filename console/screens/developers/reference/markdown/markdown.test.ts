import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Block, parseInline, parseMarkdown, plainText } from './markdown.ts'

const text = (value: string) => ({ kind: 'text' as const, text: value })
const docs = join(import.meta.dirname, '../../../../../docs')

describe('inline parts', () => {
  test('code, emphasis, links and escapes', () => {
    expect(parseInline('Send `a|b` **now**, *soon* or [later](x.md#y).')).toEqual([
      text('Send '),
      { kind: 'code', text: 'a|b' },
      text(' '),
      { kind: 'strong', of: [text('now')] },
      text(', '),
      { kind: 'emphasis', of: [text('soon')] },
      text(' or '),
      { kind: 'link', to: 'x.md#y', of: [text('later')] },
      text('.'),
    ])
    expect(parseInline('<http://localhost:4000/docs>')).toEqual([
      { kind: 'link', to: 'http://localhost:4000/docs', of: [text('http://localhost:4000/docs')] },
    ])
    expect(plainText(parseInline('a \\* b, snake_case_name, 2 * 3 * 4'))).toBe('a * b, snake_case_name, 2 * 3 * 4')
  })

  test('nothing inside a code span is a mark', () => {
    expect(parseInline('`**a** [b](c)` and `` ` ``')).toEqual([
      { kind: 'code', text: '**a** [b](c)' },
      text(' and '),
      { kind: 'code', text: '`' },
    ])
  })

  test('HTML stays text', () => {
    expect(parseInline('<img src=x onerror=alert(1)>')).toEqual([text('<img src=x onerror=alert(1)>')])
  })

  test('marks that are not closed take no long time', () => {
    const started = performance.now()
    for (const mark of ['`', '**', '*a', '[', '<http://']) parseInline(mark.repeat(3_000))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('blocks', () => {
  test('paragraphs are joined, headings get ids', () => {
    expect(parseMarkdown('# The `feed`\none\ntwo\n\nthree')).toEqual([
      { kind: 'heading', level: 1, id: 'the-feed', of: [text('The '), { kind: 'code', text: 'feed' }] },
      { kind: 'paragraph', of: [text('one two')] },
      { kind: 'paragraph', of: [text('three')] },
    ])
  })

  test('code keeps its lines', () => {
    expect(parseMarkdown('```js server.mjs\nconst a = 1\n\n# b\n```\nafter')).toEqual([
      { kind: 'code', language: 'js', text: 'const a = 1\n\n# b' },
      { kind: 'paragraph', of: [text('after')] },
    ])
    expect(parseMarkdown('```\nnever closed')).toEqual([{ kind: 'code', language: '', text: 'never closed' }])
  })

  test('lists hold continued lines, inner lists and code', () => {
    const [list] = parseMarkdown('1. one\n   more\n2. two\n   - inner\n\n   ```\n   code\n   ```\n\nafter') as [
      Extract<Block, { kind: 'list' }>,
    ]
    expect(list.ordered).toBe(true)
    expect(list.items).toEqual([
      [{ kind: 'paragraph', of: [text('one more')] }],
      [
        { kind: 'paragraph', of: [text('two')] },
        { kind: 'list', ordered: false, items: [[{ kind: 'paragraph', of: [text('inner')] }]] },
        { kind: 'code', language: '', text: 'code' },
      ],
    ])
  })

  test('tables have cells with marks', () => {
    expect(parseMarkdown('| A | B |\n|---|:-:|\n| `x|y` | z |\n| 1 | 2 |')).toEqual([
      {
        kind: 'table',
        head: [[text('A')], [text('B')]],
        rows: [
          [[{ kind: 'code', text: 'x|y' }], [text('z')]],
          [[text('1')], [text('2')]],
        ],
      },
    ])
  })

  test('quotes and rules', () => {
    expect(parseMarkdown('> a\n> b\n\n---')).toEqual([
      { kind: 'quote', of: [{ kind: 'paragraph', of: [text('a b')] }] },
      { kind: 'rule' },
    ])
  })
})

test('the pages of the documentation leave no mark of Markdown in their texts', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages) {
    const left = parseMarkdown(readFileSync(join(docs, page), 'utf8')).flatMap(textsOf)
    expect(
      left.filter((each) => /`|\*\*|\]\(|^#/.test(each)),
      page,
    ).toEqual([])
  }
})

/** The texts of a block that are not code. */
function textsOf(block: Block): string[] {
  switch (block.kind) {
    case 'list':
      return block.items.flat().flatMap(textsOf)
    case 'quote':
      return block.of.flatMap(textsOf)
    case 'table':
      return [block.head, ...block.rows].flat().map(textOfParts)
    case 'code':
    case 'rule':
      return []
    default:
      return [textOfParts(block.of)]
  }
}

function textOfParts(parts: ReturnType<typeof parseInline>): string {
  return parts.map((part) => ('of' in part ? textOfParts(part.of) : part.kind === 'code' ? '' : part.text)).join('')
}
