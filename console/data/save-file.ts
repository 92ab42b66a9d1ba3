import { useEffect, useState } from 'react'

/** Saves bytes as a file, as a download of the browser. */
export function saveFile(bytes: Uint8Array | Blob, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart], { type }))
  link.download = name
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** The address of bytes or a text that are in memory alone. */
export function useAddress(content: Uint8Array | string | Blob | undefined, type: string): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (content === undefined) return
    const made = URL.createObjectURL(new Blob([content as BlobPart], { type }))
    setAddress(made)
    return () => {
      setAddress(undefined)
      URL.revokeObjectURL(made)
    }
  }, [content, type])
  return address
}
