import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { writeDeclarations } from './declarations.ts'

/** Builds the package `purser` into lib: service, command line, console, test kit with the client, and types. */
const root = join(import.meta.dirname, '..')
const built = join(root, 'lib')
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const { buildConsole, writeConsole } = await import(join(root, 'bin/bundle-console.js'))

/** Packages of the CommonJS kind expect these names. */
const banner = `
import { createRequire as createRequireOfPackage } from 'node:module'
const require = createRequireOfPackage(import.meta.url)
const __filename = import.meta.filename
const __dirname = import.meta.dirname`

/** pdfkit loads its fonts by a `require` of its own, which esbuild does not follow. */
const pdfFonts: Plugin = {
  name: 'pdf-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /pdfkit\.node\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll("require$1('#standard-fonts/", "require('#standard-fonts/"),
    }))
  },
}

/** The dependencies of package.json stay packages; all others become part of the files. */
async function bundle(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/main.ts',
      operator: 'src/operator.ts',
      testing: 'testing/index.ts',
      cli: 'cli/main.ts',
    },
    outdir: built,
    bundle: true,
    splitting: true,
    external: Object.keys(dependencies),
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'none',
    banner: { js: banner },
    plugins: [pdfFonts],
    metafile: true,
    logLevel: 'error',
  })
  return metafile
}

/** The text of every license under which a part of the files is published. */
function licensesOf(inputs: string[]): string {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const files = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const text = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n')
    return `${name} ${version} (${license})\n\n${text}\n`
  })
  return `The files of this folder contain parts of the following packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

rmSync(built, { recursive: true, force: true })
// One after the other: the build of the console ends esbuild's process.
const programs = await bundle()
const console = await buildConsole()
await writeConsole(join(built, 'console'), console.files)
writeFileSync(join(built, 'licenses.txt'), licensesOf([...Object.keys(programs.inputs), ...console.inputs]))
writeDeclarations(join(root, 'testing'), join(built, 'types'))
