import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import { Copy } from '../../../components/display/copy.tsx'
import styles from './markdown.module.css'

/** The target of a link in a text: a path of the console with `/` first, or an address; undefined if it leads nowhere. */
type LinkTarget = (to: string) => string | undefined

/** A page in Markdown: its title, its sections, and its blocks without the title. */
export interface Page {
  title: string | undefined
  sections: { id: string; title: string }[]
  blocks: Token[]
}

export function pageOf(text: string): Page {
  const all = lexer(text)
  const first = all.find(({ type }) => type !== 'space')
  const isTitled = first?.type === 'heading' && first.depth === 1
  const blocks = isTitled ? all.filter((block) => block !== first) : all
  const headings = blocks.filter((block): block is Tokens.Heading => block.type === 'heading' && block.depth === 2)
  return {
    title: isTitled ? plainText(first as Tokens.Heading) : undefined,
    sections: headings.map((heading) => ({ id: slug(plainText(heading)), title: plainText(heading) })),
    blocks,
  }
}

/** Blocks of Markdown as elements. HTML stays text; links lead where `target` says, to web addresses and on the page. */
export function Markdown({ blocks, target }: { blocks: readonly Token[]; target: LinkTarget }) {
  return <div className={styles.text}>{elements(blocks, target)}</div>
}

function elements(tokens: readonly Token[] | undefined, target: LinkTarget): ReactNode {
  return tokens?.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not change their places.
    <Fragment key={at}>{element(token as Tokens.Generic, target)}</Fragment>
  ))
}

/** The elements of tokens that hold nothing but others. */
const plain: Record<string, 'p' | 'blockquote' | 'strong' | 'em' | 'del'> = {
  ...{ paragraph: 'p', blockquote: 'blockquote', strong: 'strong', em: 'em', del: 'del' },
}

function element(token: Tokens.Generic, target: LinkTarget): ReactNode {
  const { type, text = '', tokens } = token
  const inner = tokens ? elements(tokens, target) : text
  const Plain = plain[type]
  if (Plain) return <Plain>{inner}</Plain>
  switch (type) {
    case 'space':
      return null
    case 'heading': {
      const Heading = `h${Math.max(token.depth, 2)}` as 'h2'
      return <Heading id={slug(plainText(token))}>{inner}</Heading>
    }
    case 'code':
      return <Code text={text} />
    case 'codespan':
      return <code>{text}</code>
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul'
      return <List>{elements(token.items, target)}</List>
    }
    case 'list_item':
      return <li>{inner}</li>
    case 'table':
      return <TableBlock table={token as Tokens.Table} target={target} />
    case 'link':
      return <TextLink to={linkTarget(token.href, target)}>{inner}</TextLink>
    default:
      return inner
  }
}

function TableBlock({ table: { header, rows }, target }: { table: Tokens.Table; target: LinkTarget }) {
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map(({ tokens }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a text do not change their places.
      <Cell key={at}>{elements(tokens, target)}</Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard.
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a text do not change their places.
            <tr key={at}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A text to copy. */
export function Code({ text }: { text: string }) {
  return (
    <div className={styles.code}>
      <pre>{text}</pre>
      <Copy text={text} />
    </div>
  )
}

/** Web addresses and places on the page are linked as they are. */
function linkTarget(to: string, target: LinkTarget): string | undefined {
  return /^(https?:\/\/|#)/.test(to) ? to : target(to)
}

function TextLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined) return children
  if (to.startsWith('/')) return <Link href={to}>{children}</Link>
  return (
    <a href={to} rel="noreferrer">
      {children}
    </a>
  )
}

/** The text of a token without its marks. */
function plainText({ tokens, text, raw }: Tokens.Generic): string {
  return tokens ? tokens.map((each) => plainText(each as Tokens.Generic)).join('') : (text ?? raw)
}

/** The id of a heading, as GitHub makes it. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
