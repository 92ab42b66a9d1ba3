import { inflateSync } from 'node:zlib'

/** Reads the texts of every page of a PDF in the order they were drawn; enough of the format for standard fonts. */
export function pdfPages(bytes: Buffer): string[][] {
  const file = bytes.toString('latin1')
  if (!file.startsWith('%PDF-') || !file.trimEnd().endsWith('%%EOF')) throw new Error('not a whole PDF')
  const objects = new Map(
    [...file.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj$/gm)].map(([, id = '', text = '']) => [id, text]),
  )
  const tree = [...objects.values()].find((text) => text.includes('/Type /Pages')) ?? ''
  const [, kids = ''] = /\/Kids \[([^\]]*)\]/.exec(tree) ?? []
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, id = '']) => {
    const [, contents = ''] = /\/Contents (\d+) 0 R/.exec(objects.get(id) ?? '') ?? []
    return textsOf(contentOf(objects.get(contents) ?? ''))
  })
}

function contentOf(object: string): string {
  const [, length = ''] = /\/Length (\d+)/.exec(object) ?? []
  const start = object.indexOf('stream\n') + 'stream\n'.length
  const stream = Buffer.from(object.slice(start, start + Number(length)), 'latin1')
  return (object.includes('/FlateDecode') ? inflateSync(stream) : stream).toString('latin1')
}

function textsOf(content: string): string[] {
  return [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) => {
    const hex = [...parts.matchAll(/<([0-9a-f]*)>/gi)].map(([, digits]) => digits).join('')
    return windows1252(Buffer.from(hex, 'hex'))
  })
}

/** By hand: to the TextDecoder of Node 20 this is Latin 1, which lacks these. */
const from0x80 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

export function windows1252(bytes: Uint8Array): string {
  return [...bytes].map((byte) => from0x80[byte - 0x80] ?? String.fromCharCode(byte)).join('')
}
