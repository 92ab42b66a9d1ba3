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
