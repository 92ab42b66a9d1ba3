import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Config, parseConfig, settingNames } from '../../../src/config.ts'
import { openMetrics } from '../../../src/http/metrics/metrics.ts'
import { root } from '../../support/harness.ts'
import { endServices, preparedDataDir, scratchFolder, startService } from '../../support/service.ts'
import { stepsOf } from './dockerfile.ts'
import { metricsOf, queriesIn } from './promql.ts'
import { unitFaults } from './unit-file.ts'
import { yamlFaults } from './yaml-shape.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const alerts = read('deploy/prometheus/alerts.yml')
const compose = read('deploy/compose.yaml')
const unit = read('deploy/purser.service')
const operations = read('docs/operations.md')
afterAll(endServices)

/** The settings of the page for a bank, one a line. */
const bank = /^```ini bank\n([\s\S]*?)^```$/m.exec(operations)?.[1] ?? ''
const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

/** The environment of the service in compose.yaml, with the values of the page. */
function composeEnvironment(): string {
  const [, block = ''] = /^ {2}purser:[\s\S]*?^ {4}environment:\n([\s\S]*?)^ {4}\w/m.exec(compose) ?? []
  const lines = [...block.matchAll(/^ {6}(\w+): "?(.*?)"?$/gm)]
  const values = settingsIn(bank)
  return lines
    .map(
      ([, name, value = '']) => `${name}=${value.replace(/^\$\{(\w+):\?.*\}$/, (_, own: string) => values[own] ?? '')}`,
    )
    .join('\n')
}

/** The environment of the unit, with the values of the page. */
function unitEnvironment(): string {
  return [...[...unit.matchAll(/^Environment=(.*)$/gm)].map(([, setting]) => setting), bank].join('\n')
}

const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

describe('the files of deploy and of the forge', () => {
  test.each([...below('deploy'), ...below('.github')].filter((path) => /\.ya?ml$/.test(path)))(
    '%s has the form of YAML',
    (path) => {
      expect(yamlFaults(read(path))).toEqual([])
    },
  )

  test.each(below('.github/workflows'))('%s runs scripts that exist, with few rights and a time limit', (path) => {
    const workflow = read(path)
    const { scripts } = JSON.parse(read('package.json'))
    for (const [, name = ''] of workflow.matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(name)
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m)
    expect(workflow).not.toMatch(/secrets\.|: write$/m)
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action)
    expect(actions.filter((action) => !/^actions\/[\w-]+@v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual([])
    expect(workflow.match(/timeout-minutes: \d+/g)).toHaveLength(workflow.match(/runs-on: /g)?.length ?? 0)
  })

  test('the image and CI run on the version of Node.js that the README recommends', () => {
    const version = read('.nvmrc').trim()
    expect(stepsOf(read('deploy/Dockerfile'))).toContainEqual(['ARG', `NODE=${version}`])
    expect(read('README.md')).toContain(`Take Node.js ${version}:`)
  })

  test('purser.service has the form of a unit, with known directives', () => {
    expect(unitFaults(unit)).toEqual([])
  })

  test('the Compose file of the README starts a bank that another container calls by its name', async () => {
    const [, block = ''] = /^```yaml\n(services:[\s\S]*?)^```$/m.exec(read('README.md')) ?? []
    expect(read('cli/commands/init.ts')).toContain(block)
    expect(block).toContain('dockerfile: deploy/Dockerfile')
    expect(block).toContain("volumes: ['purser:/data']")
    const given = Object.fromEntries([...block.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name, value]) => [name, value]))
    const ofImage = stepsOf(read('deploy/Dockerfile')).flatMap(([step, text]) => (step === 'ENV' ? [text] : []))
    const { PURSER_DATA_DIR: folder, PORT: port, ...image } = settingsIn(ofImage.join('\n'))
    expect({ folder, port }).toEqual({ folder: '/data', port: '4000' })
    const service = await startService({ ...image, ...given, PURSER_DATA_DIR: await preparedDataDir() })
    const { port: own } = new URL(service.url)
    const headers = { host: `purser:${own}`, 'x-service-api-key': given.PURSER_API_KEY ?? '' }
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get({ port: own, path: '/v0/banking/accounts', headers }, resolve).once('error', reject),
    )
    answer.resume()
    expect(answer.statusCode).toBe(200)
  })

  test('set settings that exist', () => {
    const known = settingNames()
    const inCompose = [...compose.matchAll(/^ +((?:PURSER_|DATABASE_)\w+): /gm)].map(([, name = '']) => name)
    const inUnit = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name)
    const inImage = stepsOf(read('deploy/Dockerfile')).flatMap(([step, rest]) =>
      step === 'ENV' ? (rest.split('=')[0] ?? '') : [],
    )
    expect(inCompose.length).toBeGreaterThan(3)
    const unknown = [...inCompose, ...inUnit, ...inImage].filter((name) => !known.has(name) && name !== 'NODE_ENV')
    expect(unknown).toEqual([])
  })

  test('hand over secrets as files alone', () => {
    const mounted = [...compose.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, name]) => name)
    const defined = [...compose.matchAll(/^ +file: \.\/secrets\/([\w-]+)$/gm)].map(([, name]) => name)
    expect(new Set(mounted)).toEqual(new Set(defined))
    const loaded = [...unit.matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, name]) => name)
    const used = [...unit.matchAll(/=%d\/([\w-]+)$/gm)].map(([, name]) => name)
    expect(used).toEqual(loaded)
    for (const text of [compose, unit]) expect(text).not.toMatch(/(PASSWORD|_KEY|_TOKEN|_SECRET|DATABASE_URL)[:=]/)
  })

  test('make-secrets.sh makes secrets that the service takes, once, for their owner alone', () => {
    const folder = scratchFolder()
    copyFileSync(join(root, 'deploy/make-secrets.sh'), join(folder, 'make-secrets.sh'))
    const make = () => execFileSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8' })
    expect(make()).toContain('Keep a copy of encryption-key')
    const secrets = join(folder, 'secrets')
    const names = ['api-key', 'database-password', 'database-url', 'encryption-key']
    expect(readdirSync(secrets).toSorted()).toEqual(names)
    expect(statSync(secrets).mode & 0o777).toBe(0o700)
    const contents = () => names.map((name) => readFileSync(join(secrets, name), 'utf8'))
    const first = contents()
    make()
    expect(contents()).toEqual(first)
    const [apiKey, password] = first
    const databaseUrl = `postgres://purser:${password}@database:5432/purser`
    for (const environment of [composeEnvironment(), unitEnvironment()]) {
      const config = parseConfig(settingsIn(environment.replaceAll(/\/run\/secrets|%d/g, secrets)))
      expect(config).toMatchObject({ apiKey, databaseUrl })
    }
  })

  test('send payments to other banks with files, in folders that the service may write', () => {
    const folders = (config: Config) => (config.ach === 'instant' ? [] : [config.ach.outgoing, config.ach.incoming])
    const configOf = (text: string) => parseConfig({ ...settingsIn(text.replaceAll(/^.*_FILE=.*$/gm, '')), ...known })
    const known = { DATABASE_URL: 'postgres://a/b', PURSER_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }
    expect(folders(configOf(composeEnvironment()))).toEqual(['/ach/out', '/ach/in'])
    expect(compose).toContain('- ach:/ach\n')
    expect(read('deploy/Dockerfile')).toContain('-m 2770 /ach/in /ach/out\n')
    expect(folders(configOf(unitEnvironment()))).toEqual(['/var/spool/purser/out', '/var/spool/purser/in'])
    expect(unit).toContain('ReadWritePaths=/var/spool/purser\n')
    expect(operations).toContain('-g purser-ach -m 2770 /var/spool/purser/in /var/spool/purser/out\n')
    expect(unit).toContain('Group=purser-ach\n')
  })
})

describe('the alerts', () => {
  const names = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

  test('have a section in the runbook each, which has no others', () => {
    const [, runbook = ''] = operations.split(/^## Runbook$/m)
    const sections = [...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(sections).toEqual(names)
    const links = [...alerts.matchAll(/runbook: docs\/operations\.md#(\w+)$/gm)].map(([, anchor]) => anchor)
    expect(links).toEqual(names.map((name) => name.toLowerCase()))
  })

  test('have a query, a severity and a summary each', () => {
    for (const rule of alerts.split(/^ +- alert: /m).slice(1)) {
      expect(rule).toMatch(/\n +expr: .+\n(.*\n)* +severity: (critical|warning)\n(.*\n)* +summary: .{20,}\n/)
    }
  })
})

describe('the table of work that may stop', () => {
  const [, table = ''] = /^### What tells you that work has stopped\n([\s\S]*?)^## /m.exec(operations) ?? []
  const rows = [...table.matchAll(/^\| (?!Part|---)(.+) \|$/gm)].map(([, row = '']) => row.split(' | '))

  test('has every background task', () => {
    const source = read('src/backend/work.ts')
    const tasks = [...source.matchAll(/(?:every\(\w+, |begun\()'([a-z-]+)'/g)].map(([, task]) => task)
    expect(tasks.length).toBeGreaterThan(10)
    const named = rows.flatMap(([part = '']) => /^task `(.+)`$/.exec(part)?.[1] ?? [])
    expect(named.toSorted()).toEqual(tasks.toSorted())
  })

  test('has metrics, alerts and checks that exist, in every row', async () => {
    const shown = await openMetrics().text()
    const checks = ['doctor.ts', 'rail-findings.ts', 'task-findings.ts', '../../cli/doctor/findings.ts']
      .map((file) => read(join('src/operator', file)))
      .join('\n')
    for (const [part, , metrics = '', alerting = '', doctor = ''] of rows) {
      const named = [...metrics.matchAll(/`(\w+)`/g)].map(([, name = '']) => name.replace(/_count$/, ''))
      expect(named.length, part).toBeGreaterThan(0)
      for (const name of named) expect(shown, part).toContain(`# TYPE ${name} `)
      for (const name of alerting.split(', ')) expect(alerts, part).toContain(`- alert: ${name}\n`)
      for (const check of doctor.split(', '))
        if (check !== '–') expect(checks, part).toContain(check.replace(/^(in|out).* (?=folder)/, ''))
    }
  })
})

describe('the dashboard', () => {
  const { panels, templating } = JSON.parse(read('deploy/grafana/purser.json'))

  test('has titles, descriptions, units and places of their own for all panels', () => {
    const taken = new Set<string>()
    const ids = new Set<number>()
    for (const { id, type, title, description, gridPos, fieldConfig, targets } of panels) {
      ids.add(id)
      expect(title).toMatch(/\w/)
      if (type !== 'row') {
        expect(description, title).toMatch(/\w{3}/)
        expect(fieldConfig.defaults.unit, title).toMatch(/\w/)
        expect(targets.length, title).toBeGreaterThan(0)
      }
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(x < 24 && !taken.has(`${x} ${y}`), title).toBe(true)
          taken.add(`${x} ${y}`)
        }
      }
    }
    expect(ids.size).toBe(panels.length)
  })

  test('reads only the chosen processes, with balanced queries', () => {
    const variables = templating.list.map(({ name }: { name: string }) => name)
    expect(variables).toEqual(['datasource', 'job', 'instance'])
    for (const query of queriesIn('purser.json', JSON.stringify(panels))) {
      expect(query.match(/[({[]/g)?.length, query).toBe(query.match(/[)}\]]/g)?.length)
      const selectors = query.match(/job=~"\$job", instance=~"\$instance"/g)?.length ?? 0
      const readings = query.match(/\b(purser|process|nodejs)_\w+|\bup\{/g)?.length
      expect(selectors, query).toBe(readings)
    }
  })
})

describe('a fault is found', () => {
  test('in YAML', () => {
    expect(yamlFaults('a:\n  b: 1\n  - c\n')).toHaveLength(1)
    expect(yamlFaults('a:\n   b: 1\n')).toHaveLength(1)
    expect(yamlFaults('a:\n\tb: 1\n')).toHaveLength(1)
    expect(yamlFaults('a: 1\na: 2\n')).toHaveLength(1)
    expect(yamlFaults("a: 'x\n")).toHaveLength(1)
    expect(yamlFaults('a: b: c\n')).toHaveLength(1)
    expect(yamlFaults('a: {{ x }}\n')).toHaveLength(1)
    expect(yamlFaults('a: 1\n  b: 2\n')).toHaveLength(1)
    expect(yamlFaults('a:\n  - b: 1\n    c: "x: y"\n  - b: [1, "2"]\nd: text\n')).toEqual([])
  })

  test('in a unit', () => {
    expect(unitFaults('[Service]\nExecStrat=/bin/x\n')).toEqual(['2: ExecStrat is no directive of [Service]'])
    expect(unitFaults('[Service]\nfoo\n')).toEqual(['2: not a directive'])
    expect(unitFaults('Type=exec\n')).toHaveLength(1)
    expect(unitFaults('[Servcie]\n')).toHaveLength(1)
  })

  test('in a query', () => {
    const query = 'sum by (le, a) (rate(x_bucket{y="z"}[5m])) / on (b) q_total > 1.5e9 and max(w) offset 5m'
    expect(metricsOf(query)).toEqual(['x_bucket', 'q_total', 'w'])
  })
})
