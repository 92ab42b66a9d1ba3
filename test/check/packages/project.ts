import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../support/harness.ts'

/** A project of a user: both packages are installed from their tarballs, and the examples are in it. */
export interface PackedProject {
  /** Everything that was written; to be removed at the end. */
  scratch: string
  folder: string
  tarballs: { client: string; purser: string }
}

/** The parts of a checkout that packing needs. */
const checkout = [
  ...['assets', 'bin', 'cli', 'client', 'console', 'docs', 'ground', 'migrations', 'scripts', 'src', 'storm'],
  ...['testing'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md'],
]

/** Tools of the repository that the examples use as well, by the folder of their packages. */
const tools = {
  node_modules: ['express', 'fastify', 'vitest', '@types/node'],
  'test/check/node_modules': ['jest', '@jest/globals', '@types/express'],
}

const execute = promisify(execFile)

/** Runs a command in a folder and returns its output; an error names everything that it printed. */
export async function run(
  folder: string,
  command: string[],
  env: Record<string, string> = {},
  as: { uid?: number; gid?: number } = {},
): Promise<string> {
  const [program = '', ...parameters] = command
  const settings = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 50_000_000, ...as }
  try {
    const { stdout, stderr } = await execute(program, parameters, settings)
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** Packs a copy of the checkout, because a build writes into its folder, and installs the tarballs with npm. */
export async function packedProject(): Promise<PackedProject> {
  const scratch = await mkdtemp(join(tmpdir(), 'purser-packed-'))
  // Open to other users, because a test runs the package as one.
  await chmod(scratch, 0o755)
  const copy = join(scratch, 'checkout')
  const built = (path: string) => /\/(dist|lib)$/.test(path)
  for (const name of checkout) {
    await cp(join(root, name), join(copy, name), { recursive: true, filter: (path) => !built(path) })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const [client, purser] = await Promise.all([pack(join(copy, 'client'), scratch), pack(copy, scratch)])
  const folder = join(scratch, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  // Scripts of dependencies are not needed, and newer versions of npm do not run them.
  await run(folder, ['npm', 'install', '--prefer-offline', '--ignore-scripts', '--engine-strict', client, purser])
  for (const [packages, names] of Object.entries(tools)) {
    for (const name of names) await link(join(root, packages, name), join(folder, 'node_modules', name))
  }
  await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  await link(join(folder, 'node_modules'), join(folder, 'examples/rent/node_modules'))
  return { scratch, folder, tarballs: { client, purser } }
}

async function pack(folder: string, destination: string): Promise<string> {
  const printed = await run(folder, ['npm', 'pack', '--loglevel=error', '--pack-destination', destination])
  return join(destination, /^\S+\.tgz$/m.exec(printed)?.[0] ?? '')
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}
