import type { Life } from './life.ts'

/** The kinds of test files that a story can be written as. */
export type TestKind = 'vitest' | 'node' | 'pytest'

/**
 * A test that lives a life again. The file describes the app: a module that exports its subject, or JSON. Python takes both by
 * `purser storm`, which needs a service that runs.
 */
export function testFile(kind: TestKind, { law, life, file }: { law: string; life: Life; file: string }): string {
  const story = JSON.stringify(life, null, 2)
  const name = JSON.stringify(file)
  if (kind === 'pytest') return pytestFile(law, story, name)
  const isModule = !file.endsWith('.json')
  const imports = isModule
    ? `import { storm } from 'purser/testing'\nimport { subject } from ${name}`
    : `import { commandApp, storm } from 'purser/testing'`
  return `${imports}
import { test } from '${kind === 'vitest' ? 'vitest' : 'node:test'}'

${isModule ? '' : `const subject = commandApp(${name})\n`}const life = ${story}

test(${JSON.stringify(law)}, { timeout: 120_000 }, async () => {
  await storm({ ...subject, replay: life })
})
`
}

function pytestFile(law: string, story: string, name: string): string {
  // Without --no, npx would fetch a package of this name from the registry, and run it.
  return `import shutil
import subprocess
from pathlib import Path

PURSER = ['purser'] if shutil.which('purser') else ['npx', '--no', 'purser']
LIFE = r'''${story}'''


def test_storm():
    """${law.replaceAll('"', "'")}"""
    command = [*PURSER, 'storm', ${name}, '--replay', '-']
    folder = Path(__file__).parent
    storm = subprocess.run(command, cwd=folder, input=LIFE, capture_output=True, text=True)
    assert storm.returncode == 0, storm.stderr
`
}
