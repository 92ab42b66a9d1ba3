import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/harness.ts'

/** Commands that make the packages in a project and install them, which test/check/packages runs. */
const packing = new RegExp(
  [
    /^mkdir -p \.\.\/app\/packages$/,
    /^npm pack( --workspace client)? --pack-destination \.\.\/app\/packages$/,
    /^npm install( --save-dev)? \.\/packages\/purser(-client)?-\d+\.\d+\.\d+\.tgz$/,
    /^npm pkg set scripts\.test="node --test"$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** The commands that docs/cli.md describes, as an app runs them that has the package installed. */
const described = new Set(
  Array.from(readFileSync(join(root, 'docs/cli.md'), 'utf8').matchAll(/^### purser (.+)$/gm), ([, name]) => name),
)

/**
 * The commands of a block that package.json has no script for and docs/cli.md no section. Settings before a command and
 * comments are left out.
 */
export function unknownCommands(text: string, scripts: Record<string, string>): string[] {
  const commands = text
    .split(/&&|\n/)
    .map((command) => command.replace(/#.*/, '').trim())
    .filter((command) => command !== '')
  return commands.filter((command) => {
    const [, script] = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([\w:-]+)$/.exec(command) ?? []
    const [, one, two] = /^(?:[A-Z_]+=\S+ )*(?:npx )?purser ([a-z-]+)(?: ([a-z-]+))?\b/.exec(command) ?? []
    const isKnown =
      described.has(`${one}`) ||
      described.has(`${one} ${two}`) ||
      script === 'ci' ||
      script === 'install' ||
      (script !== undefined && script in scripts)
    return !(isKnown || /^(git clone|cd) /.test(command) || packing.test(command))
  })
}
