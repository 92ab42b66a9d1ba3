import type { Life } from './life.ts'

/** The kinds of test files that a story can be written as. */
export type TestKind = 'vitest' | 'node' | 'pytest'

/**
 * A test that lives a life again. The file describes the app: a module that exports its subject, or JSON, which `purser storm`
 * reads. Python takes both by `purser storm`.
 */
export function testFile(kind: TestKind, { law, life, file }: { law: string; life: Life; file: string }): string {
  const story = JSON.stringify(life, null, 2)
  if (kind === 'pytest') return pytestFile(law, story, file)
  const isModule = !file.endsWith('.json')
  const imports = isModule
    ? ["import { storm } from 'purser/testing'", `import { subject } from ${JSON.stringify(file)}`]
    : ["import assert from 'node:assert/strict'", "import { spawnSync } from 'node:child_process'"]
  const replay = isModule
    ? ['  await storm({ ...subject, replay: life })']
    : [
        `  const command = ['purser', 'storm', ${JSON.stringify(file)}, '--replay', '-']`,
        "  const { status, stdout, stderr } = spawnSync('npx', command, { input: JSON.stringify(life), encoding: 'utf8' })",
        '  assert.equal(status, 0, stdout + stderr)',
      ]
  return [
    ...imports,
    `import { test } from '${kind === 'vitest' ? 'vitest' : 'node:test'}'`,
    '',
    `const life = ${story}`,
    '',
    `test(${JSON.stringify(law)}, { timeout: 120_000 }, async () => {`,
    ...replay,
    '})',
    '',
  ].join('\n')
}

function pytestFile(law: string, story: string, file: string): string {
  return `import subprocess

LIFE = r'''${story}'''


def test_storm():
    """${law.replaceAll('"', "'")}"""
    command = ['npx', 'purser', 'storm', ${JSON.stringify(file)}, '--replay', '-']
    storm = subprocess.run(command, input=LIFE, capture_output=True, text=True)
    assert storm.returncode == 0, storm.stdout + storm.stderr
`
}
