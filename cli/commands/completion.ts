import type { Command } from '../command.ts'
import { completionScript } from '../completions.ts'

export const completion: Command = {
  path: 'completion',
  summary: 'Prints the completions of a shell',
  description:
    'Load them in the start file of the shell: eval "$(purser completion bash)" in ~/.bashrc, eval "$(purser completion zsh)" in ~/.zshrc after compinit, purser completion fish | source in config.fish.',
  group: 'Service',
  arguments: [{ name: 'shell', description: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
  examples: [
    { run: 'purser completion bash', does: 'Prints the completions for bash' },
    { run: 'purser completion zsh', does: 'Prints the completions for zsh' },
    { run: 'purser completion fish', does: 'Prints the completions for fish' },
  ],
  run: async ({ args, out, commands }) => {
    out.line(completionScript(args[0] as 'bash' | 'zsh' | 'fish', await commands()).trimEnd())
  },
}
