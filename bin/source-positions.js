// Names the lines of the sources in the stack traces of a bundle.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const maps = new Map()

/**
 * Stack traces name the sources from now on. Node's own setting reads the map of every file when it is loaded, which took a
 * sixth of the service's start; here the first stack trace reads it.
 */
export function showSourcePositions() {
  Error.prepareStackTrace = (error, frames) =>
    [titleOf(error), ...frames.map((frame) => `    at ${withSource(String(frame))}`)].join('\n')
}

function titleOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

function withSource(frame) {
  return frame.replace(/(file:\/\/[^()]+):(\d+):(\d+)/, (position, file, line, column) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry?.originalSource === undefined) return position
    const source = join(dirname(fileURLToPath(file)), entry.originalSource)
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')))
  } catch {
    // A file that is no bundle, or one of which the map is gone.
    return undefined
  }
}
