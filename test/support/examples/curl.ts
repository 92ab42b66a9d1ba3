import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'

/**
 * Puts a `curl` into `folder` that notes the status of each answer in the folder CURL_SEEN, if that is set. It is the
 * machine's own curl, or a stand-in with its commonest options: a fresh machine has Node and nothing else.
 */
export function addCurl(folder: string, { standIn = !hasCurl() }: { standIn?: boolean } = {}): void {
  mkdirSync(folder, { recursive: true })
  const script = join(folder, 'curl.mjs')
  writeFileSync(script, standInForCurl)
  const found = standIn ? `"${process.execPath}" "${script}"` : spawnSync('which', ['curl']).stdout.toString().trim()
  const path = join(folder, 'curl')
  writeFileSync(path, `#!/bin/sh\nexec ${found} \${CURL_SEEN:+-D "$CURL_SEEN/$$.head"} "$@"\n`)
  chmodSync(path, 0o755)
}

/** Runs a line with `curl`, which is put into `folder`, and returns the JSON that it prints. */
export function runCurl(line: string, folder: string): { json: unknown } {
  const programs = join(folder, 'bin')
  addCurl(programs)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    env: { PATH: `${programs}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return { json: JSON.parse(stdout) }
}

/** The statuses that `curl` noted in a folder, without order. */
export function statusesSeen(folder: string): number[] {
  return readdirSync(folder).map((name) =>
    Number(/^HTTP\/\S+ (\d+)/.exec(readFileSync(join(folder, name), 'utf8'))?.[1]),
  )
}

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0
}

const standInForCurl = `
import { writeFileSync } from 'node:fs'

const words = process.argv.slice(2)
const headers = {}
let method, body, url, heading, file, include = false, fail = false
while (words.length > 0) {
  const word = words.shift()
  if (word === '-X' || word === '--request') method = words.shift()
  else if (word === '-D') heading = words.shift()
  else if (word === '-o' || word === '--output') file = words.shift()
  else if (word === '-d' || word === '--data') body = words.shift()
  else if (word === '-H' || word === '--header') {
    const [name, ...value] = words.shift().split(':')
    headers[name.trim()] = value.join(':').trim()
  } else if (/^-[sSif]+$/.test(word)) {
    include ||= word.includes('i')
    fail ||= word.includes('f')
  } else if (!word.startsWith('-') && url === undefined) url = word
  else end(2, 'this stand-in for curl does not know ' + word)
}
const ownType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
if (body !== undefined && !ownType) headers['Content-Type'] = 'application/x-www-form-urlencoded'
const response = await fetch(/^https?:/.test(url) ? url : 'http://' + url, {
  method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body,
}).catch((error) => end(7, 'curl: ' + error.cause?.message))
const head = ['HTTP/1.1 ' + response.status + ' ' + response.statusText,
  ...[...response.headers].map(([name, value]) => name + ': ' + value), '', ''].join('\\r\\n')
if (heading) writeFileSync(heading, head)
if (fail && response.status >= 400) end(22, 'curl: the server answered ' + response.status)
if (include) process.stdout.write(head)
const bytes = Buffer.from(await response.arrayBuffer())
if (file) writeFileSync(file, bytes)
else process.stdout.write(bytes)

function end(code, line) {
  process.stderr.write(line + '\\n')
  process.exit(code)
}
`
