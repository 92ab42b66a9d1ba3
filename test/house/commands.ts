/** The commands of a block that package.json has no script for. Settings before a command and comments are left out. */
export function unknownCommands(text: string, scripts: Record<string, string>): string[] {
  const commands = text
    .split(/&&|\n/)
    .map((command) => command.replace(/#.*/, '').trim())
    .filter((command) => command !== '')
  return commands.filter((command) => {
    const [, script] = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([\w:-]+)$/.exec(command) ?? []
    return !(script === 'ci' || /^(git clone|cd) /.test(command) || (script !== undefined && script in scripts))
  })
}
