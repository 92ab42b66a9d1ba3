import type { Life } from './storm.ts'

/** The kinds of test files that a story can be written as. */
export const testFiles = ['vitest', 'node', 'pytest'] as const

/** A test that lives a life again: of a subject that a module exports, or in Python of a description for `purser storm`. */
export function testFile(kind: (typeof testFiles)[number], law: string, life: Life, subject: string): string {
  const story = JSON.stringify(life, null, 2)
  if (kind === 'pytest') return pytestFile(law, story, subject)
  const runner = kind === 'vitest' ? 'vitest' : 'node:test'
  return `import { test } from '${runner}'
import { storm } from 'purser/testing'
import { subject } from '${subject}'

const life = ${story}

test(${JSON.stringify(law)}, async () => {
  await storm({ ...subject, replay: life })
})
`
}

function pytestFile(law: string, story: string, description: string): string {
  return `import subprocess

LIFE = r'''${story}'''


def test_storm():
    """${law.replaceAll('"', "'")}"""
    command = ['npx', 'purser', 'storm', ${JSON.stringify(description)}, '--replay', '-']
    storm = subprocess.run(command, input=LIFE, capture_output=True, text=True)
    assert storm.returncode == 0, storm.stdout + storm.stderr
`
}
