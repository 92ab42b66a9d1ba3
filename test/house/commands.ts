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

/** The commands of a block that package.json has no script for. Settings before a command and comments are left out. */
export function unknownCommands(text: string, scripts: Record<string, string>): string[] {
  const commands = text
    .split(/&&|\n/)
    .map((command) => command.replace(/#.*/, '').trim())
    .filter((command) => command !== '')
  return commands.filter((command) => {
    const [, script] = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([\w:-]+)$/.exec(command) ?? []
    const isKnown = script === 'ci' || script === 'install' || (script !== undefined && script in scripts)
    return !(isKnown || /^(git clone|cd) /.test(command) || packing.test(command))
  })
}
