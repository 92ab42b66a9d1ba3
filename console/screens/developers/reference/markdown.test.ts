import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown, pageOf } from './markdown.tsx'

const docs = join(import.meta.dirname, '../../../../docs')

function html(text: string): string {
  return renderToStaticMarkup(createElement(Markdown, { blocks: pageOf(text).blocks, target: () => undefined }))
}

test('HTML of a text stays text, and a link leads to web addresses and places of the page only', () => {
  expect(html('<img src=x onerror=alert(1)> and <b>bold</b>')).not.toMatch(/<(img|b)/)
  expect(html('<script>alert(1)</script>')).not.toContain('<script')
  expect(html('[a](javascript:alert(1)) [b](https://x.test) [c](#d) [e](f.md)').match(/href="[^"]*"/g)).toEqual([
    'href="https://x.test"',
    'href="#d"',
  ])
})

test('a page has a title and sections, whose ids are those of their headings', () => {
  const page = pageOf('# The `feed`\n\none\n\n## Two & *three*\n\n### Four')
  expect([page.title, page.sections]).toEqual(['The feed', [{ id: 'two--three', title: 'Two & three' }]])
  expect(html('## Two & *three*')).toContain('<h2 id="two--three">Two &amp; <em>three</em></h2>')
})

test('the pages of the documentation leave no mark of Markdown in their texts', () => {
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages) {
    const text = html(readFileSync(join(docs, page), 'utf8')).replace(/<(pre|code)>.*?<\/\1>/gs, '')
    expect(text.match(/`|\*\*|\]\(|^#/gm), page).toBeNull()
  }
})
