import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPackages } from '../support/examples/compile.ts'
import { root, version } from '../support/harness.ts'
import { endServices, preparedDataDir, type Service, scratchFolder, startService } from '../support/service.ts'
import { blocksOf } from './blocks.ts'
import { unknownCommands } from './commands.ts'
import { faultsOf, samplesOf } from './session.ts'

/*
 * The README's convention. The blocks of session.ts are run, all of them in one session; `sh start` names npm commands, which
 * are looked up and not run; `json` after a block is the last answer. `text` shows a terminal, which test/check/programs/cli-story.test.ts compares.
 */

let folder: string
let service: Service
/** One more on data of its own, because a README is followed from its beginning once. */
let second: Service
/** The app of the reader, to which events are forwarded. */
const app = createServer((request, response) => request.resume().on('end', () => response.end()))

beforeAll(async () => {
  folder = scratchFolder()
  app.listen(0, '127.0.0.1')
  const start = async (options = {}) => startService({ PURSER_DATA_DIR: await preparedDataDir() }, options)
  ;[service, second] = await Promise.all([start({ command: ['npm', 'start'] }), start()])
})
afterAll(async () => {
  app.close()
  await endServices()
})

describe('README.md', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')

  it('starts with commands that package.json has', () => {
    const commands = blocksOf(readme)
      .filter(({ info }) => info === 'sh start')
      .map(({ text }) => text.trim())
    expect(commands).toContain('npm ci && npm start')
    expect(commands).toContain('npm ci && npm test')
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(commands.flatMap((text) => unknownCommands(text, scripts))).toEqual([])
  })

  it('has samples that answer as it shows', async () => {
    expect(samplesOf(blocksOf(readme)).length).toBeGreaterThan(0)
    expect(await faultsIn(readme)).toEqual([])
  })

  it('has samples that need no more of curl than a stand-in knows', async () => {
    expect(await faultsIn(readme, second, true)).toEqual([])
  })

  it('makes the command available with its first block', () => {
    const first = blocksOf(readme).find(({ info }) => info === 'sh')?.text
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder }
    for (const shell of ['sh', 'bash']) {
      const printed = execFileSync(shell, ['-c', `${first}purser --version`], { cwd: root, env, encoding: 'utf8' })
      expect(printed).toBe(`${version}\n`)
    }
  })

  it('has a first test that passes', () => {
    const project = mkdtempSync(join(folder, 'project-'))
    installPackages(project)
    writeFileSync(join(project, 'package.json'), '{ "name": "reader", "type": "commonjs" }')
    const [test] = blocksOf(readme).filter(({ info }) => info === 'js payment.test.mjs')
    writeFileSync(join(project, 'payment.test.mjs'), test?.text ?? '')
    // The kit takes the service that is there, in place of one of its own.
    const env = { ...process.env, PURSER_URL: service.url, PURSER_API_KEY: service.key }
    const printed = execFileSync(process.execPath, ['--test', 'payment.test.mjs'], {
      cwd: project,
      env,
      encoding: 'utf8',
    })
    expect(printed).toMatch(/pass 1\b/)
  })

  it('names only packages and settings that exist', () => {
    const blocks = blocksOf(readme)
    const packages = [...readme.matchAll(/purser(?:-client)?-(\d+\.\d+\.\d+)\.tgz/g)].map(([, each]) => each)
    expect(packages).toEqual([version, version])
    const settings = blocks.filter(({ info }) => info === 'yaml').flatMap(({ text }) => text.match(/PURSER_\w+/g) ?? [])
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    expect(settings.length).toBeGreaterThan(0)
    for (const name of settings) expect(page).toContain(`\`${name}\``)
  })

  it('has no shell block that is left unchecked', () => {
    const shells = blocksOf(readme).filter(({ info }) => /^(bash|shell|console|zsh|sh)\b/.test(info))
    expect(shells.filter(({ info }) => !['sh', 'sh lasting', 'sh start'].includes(info))).toEqual([])
  })
})

describe('a README is found out', () => {
  const call = (path: string) => `curl -s localhost:4000${path} -H "X-Service-API-Key: $(cat data/api-key)"`

  it('when a sample answers an error that it does not show', async () => {
    const faults = await faultsIn(markdown(['sh', call('/v0/banking/accounts/1')]))
    expect(faults).toEqual([expect.stringContaining('answered 404')])
  })

  it('when an error inside a substitution goes unseen', async () => {
    const faults = await faultsIn(markdown(['sh', `ID=$(${call('/v0/nowhere')})`]))
    expect(faults).toEqual([expect.stringContaining('answered 404')])
  })

  it('when a sample shows another answer than it gets', async () => {
    const list = markdown(['sh', call('/v0/banking/accounts?customerId=1')], ['json', '{"data": {}}'])
    expect(await faultsIn(list)).toEqual([expect.stringContaining('data: an object is shown')])
    const wrongStatus = markdown(['sh', call('/v0/nowhere')], ['json', '{"status": 409, "code": "conflict"}'])
    const faults = (await faultsIn(wrongStatus)).join('\n')
    expect(faults).toContain('answered 404 where 409 is shown')
    expect(faults).toContain('code: "conflict" is shown, "route_not_found" was answered')
    expect(faults).toContain('type: not shown')
  })

  it('when a command fails, and the ones after it do not run', async () => {
    const faults = await faultsIn(markdown(['sh', 'false'], ['sh', 'echo later']))
    expect(faults).toEqual([expect.stringContaining('ended with 1')])
  })

  it('when a command that lasts ends at once, or forwards nothing', async () => {
    const forwarding = 'purser listen --forward-to localhost:3000/webhooks'
    expect(await faultsIn(markdown(['sh lasting', `${forwarding} --after never`]))).toEqual([
      expect.stringContaining('ended with 1'),
    ])
    expect(await faultsIn(markdown(['sh lasting', forwarding]))).toEqual([expect.stringContaining('forwarded nothing')])
  })

  it('when it uses curl in a way that a machine with only Node cannot follow', async () => {
    const faults = await faultsIn(markdown(['sh', 'curl --json {} localhost:4000/']), service, true)
    expect(faults).toEqual([expect.stringContaining('this stand-in for curl does not know --json')])
  })

  it('when it names a script that package.json lacks, or a command that docs/cli.md lacks', () => {
    expect(unknownCommands('npm ci && npm run fly', { start: '' })).toEqual(['npm run fly'])
    expect(unknownCommands('npx purser storm x.json && npx purser fly', {})).toEqual(['npx purser fly'])
    expect(unknownCommands('git clone x && cd x\nPORT=5000 npm start # later', { start: '' })).toEqual([])
  })
})

function markdown(...blocks: [info: string, text: string][]): string {
  return blocks.map(([info, text]) => `\`\`\`${info}\n${text}\n\`\`\`\n`).join('\n')
}

/** Runs the samples of a page in the folder where `data` is the service's. */
function faultsIn(page: string, { url, dataDir } = service, standIn?: boolean): Promise<string[]> {
  const { port } = app.address() as AddressInfo
  const samples = samplesOf(blocksOf(page)).map(({ text, ...sample }) => sample)
  return faultsOf(samples, {
    folder: dirname(dataDir),
    scratch: folder,
    // The service has another port than 4000. Its commands find it by `data/address`.
    environment: {},
    instead: [
      ['localhost:4000', new URL(url).host],
      ['$PWD/bin', join(root, 'bin')],
      ['localhost:3000', `127.0.0.1:${port}`],
    ],
    ...(standIn !== undefined && { standIn }),
  })
}
