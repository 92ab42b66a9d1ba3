import { Link } from 'wouter'
import { Copy } from '../../../components/display/copy.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details, mono } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { useSession } from '../../../data/purser.tsx'
import { presentKey } from '../../../data/session.ts'
import { Code } from './markdown.tsx'
import styles from './reference.module.css'

/** A way to connect a program: what it is, the lines to run, and the page of the documentation. */
interface Way {
  title: string
  about: string
  lines: readonly string[]
  page?: readonly [name: string, title: string]
}

/** The ways to connect a program to a service at an address. */
function waysTo(url: string, version: string): Way[] {
  const environment = `export PURSER_URL=${url}\nexport PURSER_API_KEY=…\n`
  return [
    {
      title: 'curl',
      about: 'The key goes into the header X-Service-API-Key.',
      lines: [`${environment}curl "$PURSER_URL/v0/me" -H "X-Service-API-Key: $PURSER_API_KEY"`],
    },
    {
      title: 'TypeScript',
      about:
        'The client works in Node.js, browsers, Deno and Bun. It is not published: pack it in a checkout of Purser and install the file.',
      lines: [
        'npm ci && npm pack --workspace client',
        `npm install ../purser/purser-client-${version}.tgz`,
        `import { Purser } from 'purser-client'\n\nconst purser = new Purser({\n  url: '${url}',\n  apiKey: process.env.PURSER_API_KEY,\n})\nfor await (const account of purser.accounts.list()) {\n  console.log(account.id, account.balance)\n}`,
      ],
      page: ['client', 'The client'],
    },
    {
      title: 'Command line',
      about: 'In a checkout, npx purser runs the command. It takes the address and the key from the environment.',
      lines: [`${environment}npx purser status\nnpx purser accounts list`],
      page: ['cli', 'The commands'],
    },
    {
      title: 'Agent (MCP)',
      about:
        'This makes a key for the agent alone and writes .mcp.json into the folder in which the agent works. The page has the file for agents that are set up by hand.',
      lines: [`npx purser agent setup --server ${url}`],
      page: ['agents', 'Agents'],
    },
    {
      title: 'Webhooks',
      about:
        'Events reach an app on your machine as signed webhooks, without a tunnel. An app with an address of its own gets a webhook endpoint.',
      lines: [`npx purser listen --server ${url} --forward-to localhost:3000/webhooks`],
      page: ['webhooks', 'Webhooks'],
    },
    {
      title: 'Test kit',
      about: 'Each test gets an empty bank of its own. The kit starts a service for the tests, or joins this one.',
      lines: [
        `npm install --save-dev ../purser/purser-${version}.tgz`,
        "import { startPurser } from 'purser/testing'\n\nconst bank = await startPurser()\nconst { purser } = await bank.organisation()\nconst { accountId } = await purser.sandbox.scenarios.create()\nconsole.log(await purser.accounts.get(accountId))\nawait bank.stop()",
      ],
      page: ['testing', 'The test kit'],
    },
  ]
}

/** Every way to connect a program, with the address of this service. */
export function Connect() {
  const { me } = useSession()
  return (
    <>
      <PageTitle title="Connect a program" parent={{ name: 'Reference', path: '/reference' }} />
      <div className="columns">
        <div>
          {waysTo(location.origin, me.version).map(({ title, about, lines, page }) => (
            <Card key={title} title={title}>
              <div className="stack">
                <p>{about}</p>
                {lines.map((text) => (
                  <Code key={text} text={text} />
                ))}
                {page && (
                  <p>
                    Read on: <Link href={`/reference/pages/${page[0]}`}>{page[1]}</Link>
                  </p>
                )}
              </div>
            </Card>
          ))}
        </div>
        <Service />
      </div>
    </>
  )
}

/** The address and the key of this tab. The key is copied and not shown. */
function Service() {
  const { me } = useSession()
  const { origin } = location
  const key = presentKey() ?? ''
  return (
    <Card title="This service">
      <Details
        of={{
          Address: mono(origin),
          Key: mono(`…${key.slice(-4)}`),
          'Name of the key': me.key.name,
          Scopes: me.key.scopes?.join(', ') ?? 'All',
          Mode: me.mode,
          Version: me.version,
        }}
      />
      <div className={styles.copies}>
        <Copy text={origin}>Copy the address</Copy>
        <Copy text={key}>Copy the key</Copy>
        <Copy text={`export PURSER_URL=${origin}\nexport PURSER_API_KEY=${key}\n`}>Copy both for a shell</Copy>
      </div>
      <p className="muted">
        <Link href="/access">Make a key</Link> for each program, with the scopes that it needs.
      </p>
    </Card>
  )
}
