import { printable } from './printable.ts'

export interface Font {
  face: 'Helvetica' | 'Helvetica-Bold'
  size: number
  color: string
}

/** Draws on the pages of a PDF: single lines of text at given places, lines and boxes. Nothing flows by itself. */
export interface Ink {
  addPage(): void
  text(text: string, x: number, y: number, font: Font): void
  /** Text that ends at `right`. */
  textRight(text: string, right: number, y: number, font: Font): void
  line(left: number, right: number, y: number, stroke: { width: number; color: string }): void
  box(x: number, y: number, width: number, height: number, color: string): void
  /** The text in lines of at most this width. The last line ends with an ellipsis if text is left. */
  wrap(text: string, font: Font, width: number, maxLines: number): string[]
  /** The font, made small enough for the text to fit. */
  fitting(text: string, font: Font, width: number): Font
  /** Whether any text held a character that could not be printed. */
  lost(): boolean
  finish(): Promise<Buffer>
}

export async function openInk(options: PDFKit.PDFDocumentOptions): Promise<Ink> {
  // Loaded with the first document: loading it at the start would make every start a third of a second longer.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({ ...options, margin: 0, autoFirstPage: false, lang: 'en-US', displayTitle: true })
  const chunks: Buffer[] = []
  const bytes = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  let lost = false

  function shown(text: string): string {
    const result = printable(text)
    lost ||= result.lost
    return result.text
  }

  function widthOf(text: string, { face, size }: Font): number {
    return pdf.font(face, size).widthOfString(text)
  }

  function put(text: string, x: number, y: number, { face, size, color }: Font): void {
    if (text !== '') pdf.font(face, size).fillColor(color).text(text, x, y, { lineBreak: false })
  }

  /** The longest beginning of the text that fits with an ellipsis after it. */
  function cut(text: string, font: Font, width: number): string {
    const shortened = (length: number) => `${text.slice(0, length).trimEnd()}…`
    return shortened(longest(text.length, (length) => widthOf(shortened(length), font) <= width))
  }

  return {
    addPage: () => void pdf.addPage(),
    text: (text, x, y, font) => put(shown(text), x, y, font),
    textRight(text, right, y, font) {
      const ready = shown(text)
      put(ready, right - widthOf(ready, font), y, font)
    },
    line: (left, right, y, { width, color }) =>
      void pdf.moveTo(left, y).lineTo(right, y).lineWidth(width).strokeColor(color).stroke(),
    box: (x, y, width, height, color) => void pdf.roundedRect(x, y, width, height, 4).fill(color),
    wrap(text, font, width, maxLines) {
      let rest = shown(text)
      const lines: string[] = []
      while (widthOf(rest, font) > width) {
        if (lines.length === maxLines - 1) return [...lines, cut(rest, font, width)]
        const end = breakOf(rest, (head) => widthOf(head, font) <= width)
        lines.push(rest.slice(0, end).trimEnd())
        rest = rest.slice(end).trimStart()
      }
      return [...lines, rest]
    },
    fitting: (text, font, width) => ({
      ...font,
      size: Math.min(font.size, (font.size * width) / Math.max(1, widthOf(text, font))),
    }),
    lost: () => lost,
    finish() {
      pdf.end()
      return bytes
    },
  }
}

/** If a line ends: after the last word that fits, or inside a word that alone is too long. */
function breakOf(text: string, fits: (head: string) => boolean): number {
  const length = Math.max(
    1,
    longest(text.length, (count) => fits(text.slice(0, count))),
  )
  if (text[length] === ' ') return length + 1
  return text.lastIndexOf(' ', length) + 1 || length
}

/** The largest number up to `maximum` that fits, if smaller ones fit too: a binary search, because measuring is slow. */
function longest(maximum: number, fits: (length: number) => boolean): number {
  let low = 0
  let high = maximum
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
