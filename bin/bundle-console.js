// Bundles the console of a checkout: a page, and scripts and styles whose names change with their contents.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCurrent, recordInputs, replace } from './bundle.js'

const root = join(import.meta.dirname, '..')
const page = 'console/index.html'
/** Files that decide about the bundle without being a part of it. */
const settings = ['bin/bundle-console.js', 'bin/bundle.js', 'package.json', page]
/** The path at which the service serves the assets. */
const ASSETS = '/console/assets'

/**
 * Builds the console into the folder `target`, unless it is there and no file has changed since it was made. Returns the
 * files of a new build by their paths in the folder, because a user who may not write there has a console as well.
 */
export async function bundleConsole(target) {
  if (isCurrent(target)) return undefined
  const startedMs = Date.now()
  const { files, inputs } = await buildConsole()
  // The folder only saves time.
  await writeConsole(target, files)
    .then(() => recordInputs(target, inputs, startedMs))
    .catch(ignoreDenied)
  return files
}

/** The files of the console, and the paths of those that they were made of. */
export async function buildConsole() {
  const { outputFiles, metafile } = await built()
  const [main, { cssBundle }] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === '<stdin>')
  const scripts = outputFiles.filter(({ path }) => !path.endsWith('.css') || relative(root, path) === cssBundle)
  const nameOf = (path) => path.split('/').at(-1)
  const files = new Map(scripts.map(({ path, contents }) => [`assets/${nameOf(path)}`, Buffer.from(contents)]))
  const html = readFileSync(join(root, page), 'utf8')
    .replace('"main.css"', `"${ASSETS}/${nameOf(cssBundle)}"`)
    .replace('"main.tsx"', `"${ASSETS}/${nameOf(main)}"`)
  files.set('index.html', Buffer.from(html))
  const inputs = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>' && !path.startsWith('styles:'))
  return { files, inputs: [...settings, ...inputs] }
}

async function built() {
  const { build, stop } = await import('esbuild')
  try {
    return await build({
      absWorkingDir: root,
      stdin: { contents: `import './main.tsx'; import 'styles-of-all'`, resolveDir: join(root, 'console') },
      plugins: [styles, withoutWebhooks],
      outdir: 'dist/console',
      entryNames: 'main-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      publicPath: ASSETS,
      bundle: true,
      splitting: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2023',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: { '.svg': 'file', '.woff2': 'file' },
      legalComments: 'none',
      metafile: true,
      write: false,
      logLevel: 'silent',
    })
  } catch (error) {
    // A signal to the process group ends esbuild, too. The service's handler runs in the next turn of the event loop.
    await sleep(100)
    throw error
  } finally {
    // Ends esbuild's process, which waits for more work.
    stop()
  }
}

/**
 * All styles of the screens in the style sheet of the app. A screen is loaded when it is opened, but with a sheet of its
 * own it would repeat the styles that it shares with others, and the sheet that was loaded last would win.
 */
const styles = {
  name: 'styles',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^styles-of-all$/ }, ({ path }) => ({ path, namespace: 'styles' }))
    onLoad({ filter: /^styles-of-all$/, namespace: 'styles' }, () => ({
      contents: readdirSync(join(root, 'console'), { recursive: true })
        .filter((name) => name.endsWith('.module.css'))
        .sort()
        .map((name) => `@import ${JSON.stringify(`./${name}`)};`)
        .join('\n'),
      loader: 'css',
      resolveDir: join(root, 'console'),
    }))
  },
}

/** The client can verify webhooks, which a console never receives. */
const withoutWebhooks = {
  name: 'without-webhooks',
  setup({ onLoad }) {
    onLoad({ filter: /client\/src\/webhooks\.ts$/ }, () => ({
      contents: 'export const unwrap = undefined, sign = undefined',
    }))
  },
}

/** The page comes last, because it names the others. Assets of earlier builds are removed. */
export async function writeConsole(target, files) {
  await mkdir(join(target, 'assets'), { recursive: true })
  for (const [path, contents] of files) {
    const isThere =
      path !== 'index.html' && (await stat(join(target, path)).catch(() => undefined))?.size === contents.length
    if (!isThere) await replace(join(target, path), contents)
  }
  for (const name of await readdir(join(target, 'assets'))) {
    if (!files.has(`assets/${name}`) && !/\.\d+$/.test(name)) await rm(join(target, 'assets', name), { force: true })
  }
}

function ignoreDenied(error) {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
}
