import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** An image as a folder: the steps of a Dockerfile were run in it. */
export interface Image {
  /** The folder that stands for the root of the file system. */
  root: string
  workdir: string
  env: Record<string, string>
  user: string
  entrypoint: string[]
  command: string[]
  healthCheck: string[]
}

export interface BuildOptions {
  /** The folder that COPY reads from. */
  context: string
  scratch: string
  /** Stands in for the user and the group of the image: `[number in the Dockerfile, number here]`. */
  instead: [string, string][]
  /** Runs a RUN step in another way, or returns false. */
  run?: (command: string, workdir: string) => boolean
}

const execute = promisify(execFile)

/** Runs the steps of a Dockerfile in plain folders, one for each stage, and returns the last stage. */
export async function buildInFolder(dockerfile: string, options: BuildOptions): Promise<Image> {
  const stages = new Map<string, Image>()
  let image: Image | undefined
  for (const [instruction, rest] of stepsOf(dockerfile)) {
    if (instruction === 'FROM') {
      image = newStage(join(options.scratch, `stage-${stages.size}`))
      stages.set(/ AS (\S+)$/.exec(rest)?.[1] ?? '', image)
    } else if (instruction === 'ARG') {
      // The arguments choose the base image, which this machine stands in for.
    } else if (!image) throw new Error(`${instruction} comes before FROM`)
    else await runStep(image, [instruction, rest], { ...options, stages })
  }
  if (!image) throw new Error('the Dockerfile has no stage')
  return image
}

/** The instructions without comments, each with the rest of its line. */
export function stepsOf(dockerfile: string): [instruction: string, rest: string][] {
  return dockerfile
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, instruction, rest] = /^([A-Z]+) (.*[^\\])$/.exec(line) ?? []
      if (!instruction || !rest) throw new Error(`not an instruction of one line: ${line}`)
      return [instruction, rest]
    })
}

/** A path of the image as one of this machine. */
export function pathIn({ root }: Image, path: string): string {
  return join(root, path)
}

/** A text with the absolute paths of the image replaced by those of this machine. */
export function placed({ root }: Image, text: string): string {
  return text.replace(/(?<=^|[\s=])\/(app|build|data|ach)\b/g, (path) => join(root, path))
}

function newStage(root: string): Image {
  mkdirSync(root, { recursive: true, mode: 0o755 })
  return { root, workdir: '/', env: {}, user: '0:0', entrypoint: [], command: [], healthCheck: [] }
}

async function runStep(
  image: Image,
  [instruction, rest]: [string, string],
  options: BuildOptions & { stages: Map<string, Image> },
): Promise<void> {
  switch (instruction) {
    case 'WORKDIR':
      image.workdir = rest
      return void mkdirSync(pathIn(image, rest), { recursive: true })
    case 'ENV':
      return void Object.assign(image.env, Object.fromEntries([rest.split('=')]))
    case 'COPY':
      return copy(image, rest.split(' '), options)
    case 'RUN':
      return run(image, rest, options)
    case 'USER':
      image.user = rest
      return
    case 'HEALTHCHECK':
      image.healthCheck = JSON.parse(rest.slice(rest.indexOf(' CMD ') + ' CMD '.length))
      return
    case 'ENTRYPOINT':
      image.entrypoint = JSON.parse(rest)
      return
    case 'CMD':
      image.command = JSON.parse(rest)
      return
    case 'VOLUME':
    case 'EXPOSE':
      return
    default:
      throw new Error(`the test does not know ${instruction}: teach it the instruction, or leave it out`)
  }
}

/** Copies as Docker does: a file into a folder that ends with a slash, the contents of a folder into the target. */
function copy(image: Image, words: string[], { context, stages }: BuildOptions & { stages: Map<string, Image> }): void {
  const stage = /^--from=(.+)$/.exec(words[0] ?? '')?.[1]
  const from = stage === undefined ? context : stages.get(stage)?.root
  if (from === undefined) throw new Error(`there is no stage ${stage}`)
  const paths = stage === undefined ? words : words.slice(1)
  const target = paths.pop() ?? ''
  for (const path of paths) {
    const source = join(from, path)
    if (!existsSync(source)) throw new Error(`COPY of ${path}: it does not exist`)
    const isFile = statSync(source).isFile()
    const to = isFile && target.endsWith('/') ? join(target, basename(path)) : target
    if (!isFile && paths.length > 1) throw new Error(`COPY of ${path}: Docker would copy its contents, not the folder`)
    const made = (each: string) => /\/(node_modules|dist|lib)$/.test(each)
    const filter = stage === undefined ? (each: string) => !made(each) : () => true
    cpSync(source, join(image.root, image.workdir, to), { recursive: true, verbatimSymlinks: true, filter })
  }
}

async function run(image: Image, command: string, { instead, run: other }: BuildOptions): Promise<void> {
  const cwd = pathIn(image, image.workdir)
  if (other?.(command, cwd)) return
  const text = instead.reduce((all, [number, here]) => all.replaceAll(` ${number}`, ` ${here}`), placed(image, command))
  // A machine that has installed the checkout has the packages in npm's cache.
  const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_update_notifier: 'false' }
  await execute('sh', ['-c', text], { cwd, env: { ...process.env, ...npm, ...image.env }, maxBuffer: 50_000_000 })
}
