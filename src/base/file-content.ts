import { fileTypeFromBuffer } from 'file-type'

/**
 * Bytes of a file that its type is detected by, as the library recommends. Parsing a whole hostile file of 20 MiB, such as
 * an archive of half a million empty entries, blocked the process for half a second.
 */
const HEAD_BYTES = 4_100

/** Why bytes are not of the type that they are said to be, if they are known to be of another. */
export async function contentMismatch(content: Buffer, contentType: string): Promise<string | undefined> {
  const found = await mimeTypeOf(content)
  if (!found || found === contentType || (found === 'image/apng' && contentType === 'image/png')) return undefined
  return `The bytes of the file are ${found}, not ${contentType}.`
}

/** Whether bytes are of any known type at all. */
export async function isKnownContent(content: Buffer): Promise<boolean> {
  return (await mimeTypeOf(content)) !== undefined
}

async function mimeTypeOf(content: Buffer): Promise<string | undefined> {
  return (await fileTypeFromBuffer(content.subarray(0, HEAD_BYTES)))?.mime
}
