import { execFile } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../support/harness.ts'
import { endServices, type Service, scratchFolder, startService } from '../../support/service.ts'
import { buildInFolder, type Image, pathIn, placed, stepsOf } from './dockerfile.ts'
import { metricsIn } from './promql.ts'

const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
const user = stepsOf(dockerfile).find(([instruction]) => instruction === 'USER')?.[1] ?? ''
const isRoot = process.getuid?.() === 0
/** The user of the image if this process may become it, otherwise the user of this process. */
const [uid, gid] = isRoot ? user.split(':').map(Number) : [process.getuid?.(), process.getgid?.()]

let image: Image
let service: Service
let before: Map<string, string>
let metricsUrl: string

beforeAll(async () => {
  const scratch = scratchFolder()
  const [userThere = '', groupThere = ''] = user.split(':')
  image = await buildInFolder(dockerfile, {
    context: root,
    scratch,
    instead: [
      [userThere, String(uid)],
      [groupThere, String(gid)],
    ],
    run: takesPackagesOfCheckout,
  })
  protect(pathIn(image, '/app'))
  before = statesOf(pathIn(image, '/app'))
  const [program = '', ...words] = [...image.entrypoint, ...image.command].map((word) => placed(image, word))
  service = await startService(
    {
      ...Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, placed(image, value)])),
      PURSER_DATA_DIR: placed(image, image.env.PURSER_DATA_DIR ?? ''),
      HOST: '127.0.0.1',
      PORT: '0',
      PURSER_METRICS_PORT: '0',
      HOME: '/nonexistent',
    },
    {
      command: [program, ...words],
      checkout: pathIn(image, image.workdir),
      ...(isRoot && { as: { uid: Number(uid), gid: Number(gid) } }),
    },
  )
  metricsUrl = (await service.printed(/metrics at (\S+)/))[1] ?? ''
})
afterAll(async () => {
  if (image) unprotect(pathIn(image, '/app'))
  await endServices()
})

/**
 * The packages of the build stage are those of this checkout, which `npm ci` installed as well; a second install of half a
 * gigabyte would take longer than all other steps. The soak installs them.
 */
function takesPackagesOfCheckout(command: string, workdir: string): boolean {
  if (process.env.SOAK || !/^npm ci(?!.*--omit)/.test(command)) return false
  symlinkSync(join(root, 'node_modules'), join(workdir, 'node_modules'))
  return true
}

/** Folders and files below a folder, with itself; links are not followed. */
function below(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))]
}

/** Takes the right to write from everyone, the owner included. */
function protect(folder: string): void {
  for (const path of below(folder).toReversed()) {
    const state = lstatSync(path)
    if (!state.isSymbolicLink()) chmodSync(path, (state.mode & 0o555) | (state.isDirectory() ? 0o555 : 0o444))
  }
}

function unprotect(folder: string): void {
  for (const path of below(folder)) if (lstatSync(path).isDirectory()) chmodSync(path, 0o755)
}

function statesOf(folder: string): Map<string, string> {
  return new Map(below(folder).map((path) => [path, `${lstatSync(path).mtimeMs} ${lstatSync(path).size}`]))
}

describe('the image', () => {
  test('serves requests as a user without rights, and its health check sees it', async () => {
    expect(Number(uid)).toBeGreaterThan(0)
    expect((await service.call('GET', '/readyz')).status).toBe(200)
    expect((await service.call('GET', '/v0/banking/customers')).status).toBe(200)
    expect((await fetch(`${service.url}/console`, { redirect: 'manual' })).status).toBeLessThan(400)
    const [program = '', ...words] = image.healthCheck
    const check = (port: string) => promisify(execFile)(program, words, { env: { ...process.env, PORT: port } })
    await expect(check(new URL(service.url).port)).resolves.toMatchObject({ stderr: '' })
    await expect(check('1')).rejects.toMatchObject({ code: 1 })
  })

  test('writes into its data folder alone', () => {
    expect(readdirSync(pathIn(image, '/data')).toSorted()).toEqual(
      expect.arrayContaining(['api-key', 'encryption-key']),
    )
    expect(statSync(pathIn(image, '/data')).mode & 0o777).toBe(0o700)
    expect(statesOf(pathIn(image, '/app'))).toEqual(before)
  })

  test('holds no sources, no tests and no packages for development', () => {
    expect(readdirSync(pathIn(image, '/app')).toSorted()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'NOTICE', 'assets', 'bin', 'client', 'docs', 'lib', 'migrations']
        .concat(['node_modules', 'package.json'])
        .toSorted(),
    )
    expect(readdirSync(pathIn(image, '/app/bin'))).toEqual(['purser.js'])
    expect(readdirSync(pathIn(image, '/app/node_modules'))).not.toContain('vitest')
  })

  test('has the other commands, too', async () => {
    const program = placed(image, image.entrypoint[1] ?? '')
    const env = { PATH: process.env.PATH, PURSER_URL: service.url, PURSER_API_KEY: service.key }
    const { stdout } = await promisify(execFile)('node', [program, 'status', '--json'], { env, cwd: image.root })
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'sandbox' })
  })
})

describe('the metrics of a running service', () => {
  test.each(['deploy/grafana/purser.json', 'deploy/prometheus/alerts.yml'])('include those of %s', async (file) => {
    const text = await (await fetch(metricsUrl)).text()
    const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]))
    const isThere = (name: string) => {
      const base = /^(.+)_(bucket|sum|count)$/.exec(name)?.[1] ?? ''
      return types.get(base) === 'histogram' || (types.has(name) && types.get(name) !== 'histogram')
    }
    const named = metricsIn(file, readFileSync(join(root, file), 'utf8'))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !isThere(name))).toEqual([])
  })
})

describe('a Dockerfile is found out', () => {
  const build = (...lines: string[]) => {
    const scratch = scratchFolder()
    mkdirSync(join(scratch, 'context/a'), { recursive: true })
    return buildInFolder(lines.join('\n'), { context: join(scratch, 'context'), scratch, instead: [] })
  }

  test('when a step fails, copies a file that is not there, or is unknown', async () => {
    await expect(build('FROM x', 'RUN false')).rejects.toThrow('Command failed')
    await expect(build('FROM x', 'WORKDIR /app', 'COPY none ./')).rejects.toThrow('COPY of none')
    await expect(build('FROM x', 'WORKDIR /app', 'COPY a a ./')).rejects.toThrow('contents')
    await expect(build('FROM x', 'ADD a ./')).rejects.toThrow('does not know ADD')
    await expect(build('FROM x', 'COPY --from=y a ./')).rejects.toThrow('no stage y')
    await expect(build('WORKDIR /app')).rejects.toThrow('before FROM')
    await expect(build('FROM x', 'RUN a \\')).rejects.toThrow('not an instruction of one line')
  })
})
