import { Fragment, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { Copy } from '../../../../components/display/copy.tsx'
import styles from './markdown.module.css'
import { type Block, type Inline, parseMarkdown } from './markdown.ts'

/** The target of a link in a text: a path of the console with `/` first, or an address; undefined for none. */
export type LinkTarget = (to: string) => string | undefined

/** Markdown as elements. Links lead to web addresses and to places on the page, others if `target` says. */
export function Markdown({ text, target }: { text: string; target?: LinkTarget }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return (
    <div className={styles.text}>
      <Blocks of={blocks} target={target ?? noTarget} />
    </div>
  )
}

/** Blocks that were parsed already. */
export function MarkdownBlocks({ blocks, target }: { blocks: Block[]; target: LinkTarget }) {
  return (
    <div className={styles.text}>
      <Blocks of={blocks} target={target} />
    </div>
  )
}

function noTarget(): undefined {
  return undefined
}

function Blocks({ of: blocks, target }: { of: Block[]; target: LinkTarget }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text do not change their places.
    <Fragment key={at}>{blockElement(block, target)}</Fragment>
  ))
}

function blockElement(block: Block, target: LinkTarget): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(Math.max(block.level, 2), 6)}` as 'h2'
      return <Heading id={block.id}>{inline(block.of, target)}</Heading>
    }
    case 'paragraph':
      return <p>{inline(block.of, target)}</p>
    case 'code':
      return <Code text={block.text} />
    case 'quote':
      return (
        <blockquote>
          <Blocks of={block.of} target={target} />
        </blockquote>
      )
    case 'rule':
      return <hr />
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return <List>{block.items.map((item, at) => listItem(item, at, target))}</List>
    }
    case 'table':
      return <MarkdownTable block={block} target={target} />
  }
}

/** An item of one paragraph is drawn without the space around paragraphs. */
function listItem(item: Block[], at: number, target: LinkTarget): ReactNode {
  const [only] = item
  return (
    <li key={at}>
      {item.length === 1 && only?.kind === 'paragraph' ? inline(only.of, target) : <Blocks of={item} target={target} />}
    </li>
  )
}

function MarkdownTable({ block, target }: { block: Extract<Block, { kind: 'table' }>; target: LinkTarget }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard.
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a text do not change their places.
              <th key={at} scope="col">
                {inline(cell, target)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a text do not change their places.
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a text do not change their places.
                <td key={column}>{inline(cell, target)}</td>
              ))}
            </tr>
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

function inline(parts: Inline[], target: LinkTarget): ReactNode {
  return parts.map((part, at) => {
    const key = `${at}`
    if (part.kind === 'text') return part.text
    if (part.kind === 'code') return <code key={key}>{part.text}</code>
    if (part.kind === 'link') {
      return (
        <TextLink key={key} to={linkOf(part.to, target)}>
          {inline(part.of, target)}
        </TextLink>
      )
    }
    const Mark = part.kind === 'strong' ? 'strong' : 'em'
    return <Mark key={key}>{inline(part.of, target)}</Mark>
  })
}

function linkOf(to: string, target: LinkTarget): string | undefined {
  return /^https?:\/\//.test(to) || to.startsWith('#') ? to : target(to)
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
