/** Saves bytes as a file, as a download of the browser. */
export function saveFile(bytes: Uint8Array, name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }))
  link.download = name
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
