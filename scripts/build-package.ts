import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { billOfMaterials, bundledPackages, licensesText, noticeText } from './bundled-packages.ts'
import { writeDeclarations } from './declarations.ts'

/**
 * Builds the package `purser` into lib: service, command line, console, test kit with the client, types, and the licenses and the
 * bill of materials of the packages inside. Brings the list of these packages in NOTICE up to date.
 */
const root = join(import.meta.dirname, '..')
const built = join(root, 'lib')
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const { banner } = await import(join(root, 'bin/bundle.js'))
const { buildConsole, writeConsole } = await import(join(root, 'bin/bundle-console.js'))

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

rmSync(built, { recursive: true, force: true })
// One after the other: the build of the console ends esbuild's process.
const programs = await bundle()
const console = await buildConsole()
await writeConsole(join(built, 'console'), console.files)
const packages = bundledPackages(root, [...Object.keys(programs.inputs), ...console.inputs])
writeFileSync(join(built, 'licenses.txt'), licensesText(packages))
writeFileSync(join(built, 'sbom.cdx.json'), billOfMaterials(root, packages))
const notice = join(root, 'NOTICE')
writeFileSync(notice, noticeText(readFileSync(notice, 'utf8'), packages))
writeDeclarations(join(root, 'testing'), join(built, 'types'))
