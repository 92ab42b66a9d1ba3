import { fileTypeFromBuffer } from 'file-type'

/** Why bytes are not of the type that they are said to be, if they are known to be of another. */
export async function contentMismatch(content: Buffer, contentType: string): Promise<string | undefined> {
  const found = (await fileTypeFromBuffer(content))?.mime
  if (!found || found === contentType || (found === 'image/apng' && contentType === 'image/png')) return undefined
  return `The bytes of the file are ${found}, not ${contentType}.`
}

/** Whether bytes are of any known type at all. */
export async function isKnownContent(content: Buffer): Promise<boolean> {
  return (await fileTypeFromBuffer(content)) !== undefined
}
