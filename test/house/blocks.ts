/** A block of code of a page. */
export interface Block {
  info: string
  text: string
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info = '', text = '']) => ({
    info: info.trim(),
    text,
  }))
}

/** The text of a file that a page shows. */
export function fileShownIn(page: string, name: string): string {
  const block = blocksOf(page).find(({ info }) => info.endsWith(` ${name}`))
  if (!block) throw new Error(`the page does not show ${name}`)
  return block.text
}
