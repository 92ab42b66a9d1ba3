/** Commands that make the packages and install them, which test/check/packages runs. */
const packing =
  /^npm (pack( --workspace client)?|install( --save-dev)? \.\.\/purser\/purser(-client)?-\d+\.\d+\.\d+\.tgz)$/

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
