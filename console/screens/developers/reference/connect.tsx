import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Copy } from '../../../components/display/copy.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { useSession } from '../../../data/purser.tsx'
import { presentKey } from '../../../data/session.ts'
import styles from './connect.module.css'
import { Code } from './markdown/markdown.tsx'

/** Every way to connect a program, with the address of this service. */
export function Connect() {
  return (
    <>
      <PageTitle title="Connect a program" parent={{ name: 'Reference', path: '/reference' }} />
      <div className="columns">
        <div>
          <Curl />
          <Client />
          <CommandLine />
          <Agent />
          <Webhooks />
          <TestKit />
        </div>
        <div>
          <Service />
        </div>
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
        items={[
          [
            'Address',
            <span key="address" className="mono">
              {origin}
            </span>,
          ],
          ['Key', <span key="key" className="mono">{`…${key.slice(-4)}`}</span>],
          ['Name of the key', me.key.name],
          ['Scopes', me.key.scopes?.join(', ') ?? 'All'],
          ['Mode', me.mode],
          ['Version', me.version],
        ]}
      />
      <div className={styles.copies}>
        <Copy text={origin}>Copy the address</Copy>
        <Copy text={key}>Copy the key</Copy>
        <Copy text={`export PURSER_URL=${origin}\nexport PURSER_API_KEY=${key}\n`}>Copy both for a shell</Copy>
      </div>
      <p className={styles.make}>
        <Link href="/access">Make a key</Link> for each program, with the scopes that it needs.
      </p>
    </Card>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className={styles.way}>{children}</div>
    </Card>
  )
}

function Curl() {
  return (
    <Way title="curl">
      <p>
        The key goes into the header <code>X-Service-API-Key</code>.
      </p>
      <Code
        text={`export PURSER_URL=${location.origin}\nexport PURSER_API_KEY=…\ncurl "$PURSER_URL/v0/me" -H "X-Service-API-Key: $PURSER_API_KEY"`}
      />
    </Way>
  )
}

function Client() {
  const { me } = useSession()
  return (
    <Way title="TypeScript">
      <p>
        The client works in Node.js, browsers, Deno and Bun. It is not published: pack it in a checkout of Purser and
        install the file.
      </p>
      <Code text="npm ci && npm pack --workspace client" />
      <Code text={`npm install ../purser/purser-client-${me.version}.tgz`} />
      <Code
        text={`import { Purser } from 'purser-client'\n\nconst purser = new Purser({\n  url: '${location.origin}',\n  apiKey: process.env.PURSER_API_KEY,\n})\nfor await (const account of purser.accounts.list()) {\n  console.log(account.id, account.balance)\n}`}
      />
      <More page="client">The client</More>
    </Way>
  )
}

function CommandLine() {
  return (
    <Way title="Command line">
      <p>
        In a checkout, <code>npx purser</code> runs the command. It takes the address and the key from the environment.
      </p>
      <Code
        text={`export PURSER_URL=${location.origin}\nexport PURSER_API_KEY=…\nnpx purser status\nnpx purser accounts list`}
      />
      <More page="cli">The commands</More>
    </Way>
  )
}

function Agent() {
  const file = {
    mcpServers: { purser: { type: 'http', url: `${location.origin}/mcp`, headers: { 'X-Service-API-Key': '…' } } },
  }
  return (
    <Way title="Agent (MCP)">
      <p>
        This makes a key for the agent alone and writes <code>.mcp.json</code> into the folder in which the agent works.
      </p>
      <Code text={`npx purser agent setup --server ${location.origin}`} />
      <p>The file, for agents that are set up by hand:</p>
      <Code text={JSON.stringify(file, undefined, 2)} />
      <More page="agents">Agents</More>
    </Way>
  )
}

function Webhooks() {
  return (
    <Way title="Webhooks">
      <p>Events reach an app on your machine as signed webhooks, without a tunnel.</p>
      <Code text={`npx purser listen --server ${location.origin} --forward-to localhost:3000/webhooks`} />
      <p>
        An app with an address of its own gets a <Link href="/webhooks">webhook endpoint</Link>.
      </p>
      <More page="webhooks">Webhooks</More>
    </Way>
  )
}

function TestKit() {
  const { me } = useSession()
  return (
    <Way title="Test kit">
      <p>Each test gets an empty bank of its own. The kit starts a service for the tests, or joins this one.</p>
      <Code text={`npm install --save-dev ../purser/purser-${me.version}.tgz`} />
      <Code
        text={`import { startPurser } from 'purser/testing'\n\nconst bank = await startPurser()\nconst { purser } = await bank.organisation()\nconst { accountId } = await purser.sandbox.scenarios.create()\nconsole.log(await purser.accounts.get(accountId))\nawait bank.stop()`}
      />
      <More page="testing">The test kit</More>
    </Way>
  )
}

/** The page of the documentation on a way to connect. */
function More({ page, children }: { page: string; children: string }) {
  return (
    <p>
      Read on: <Link href={`/reference/pages/${page}`}>{children}</Link>
    </p>
  )
}
