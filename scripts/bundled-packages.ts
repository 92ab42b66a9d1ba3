import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of which a bundle contains parts. */
interface BundledPackage {
  name: string
  version: string
  /** An expression of SPDX. */
  license: string
  /** The text of the license; its first line alone if the package has no text. */
  text: string
  /** The notices in the files that were bundled. */
  notices: string[]
}

/** The packages that the inputs of a bundle belong to, in the order of their names. */
export function bundledPackages(root: string, inputs: string[]): BundledPackage[] {
  const files = new Map<string, string[]>()
  for (const path of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    if (folder) files.set(folder, [...(files.get(folder) ?? []), join(root, path)])
  }
  // One version is in several folders if npm could not place it above another one.
  const versions = new Map<string, [folder: string, own: string[]]>()
  for (const [folder, own] of files) {
    const key = keyOf(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')))
    versions.set(key, [folder, [...(versions.get(key)?.[1] ?? []), ...own]])
  }
  const packages = [...versions.values()].map(([folder, own]) => packageIn(join(root, folder), own))
  return packages.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const keyOf = ({ name, version }: { name: string; version: string }) => `${name} ${version}`

function packageIn(folder: string, files: string[]): BundledPackage {
  const { name, version, author, ...manifest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const own = licenseTextIn(folder)
  const license = manifest.license ?? (own.startsWith('MIT License') ? 'MIT' : undefined)
  if (typeof license !== 'string') throw new Error(`${keyOf({ name, version })} has no license`)
  const text = own || `Copyright (c) ${author?.name ?? author}`
  return { name, version, license, text, notices: noticesIn(files, text) }
}

/** The text of the files for licenses, otherwise the section of the README that has the whole text. */
function licenseTextIn(folder: string): string {
  const names = readdirSync(folder)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim()
  const files = names.filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).map(read)
  const [readme = ''] = names.filter((name) => /^readme\.md$/i.test(name)).map(read)
  const [, section = ''] = /^#+ license\n+([\s\S]*)/im.exec(readme) ?? []
  return files.join('\n\n') || (section.includes('Permission is hereby granted') ? section : '')
}

/** The comments of files that name an owner whom the text of the license does not name. The bundler leaves them out. */
function noticesIn(files: string[], text: string): string[] {
  const comments = files.flatMap(
    (file) => readFileSync(file, 'utf8').match(/\/\*[\s\S]*?\*\/|^\/\/.*(\n\/\/.*)*/gm) ?? [],
  )
  const notices = comments.filter((comment) => /copyright *(\(c\)|\d{4})|\(c\) *\d{4}/i.test(comment))
  const byOwner = new Map(notices.map((notice) => [/.*(copyright|\(c\)).*/i.exec(notice)?.[0], notice]))
  return [...byOwner.values()].filter((notice) => !text.includes(notice))
}

const RULE = `\n\n${'-'.repeat(80)}\n\n`
const permission = /Permission is hereby granted[\s\S]*? THE\s+SOFTWARE\.$/

/** The licenses under which parts of the files are published. A package without the text of the MIT license gets that of another. */
export function licensesText(packages: BundledPackage[]): string {
  const texts = packages.filter(({ license }) => license === 'MIT').map(({ text }) => permission.exec(text)?.[0])
  const [mit] = texts.filter((text) => text !== undefined)
  const sections = packages.map(({ name, version, license, text, notices }) => {
    const isWhole = license !== 'MIT' || text.includes('Permission is hereby granted')
    return [`${name} ${version} (${license})`, text, ...(isWhole ? [] : [mit]), ...notices].join('\n\n')
  })
  return `The files of this folder contain parts of the following packages.\n\n${sections.join(RULE)}\n`
}

/** The list of packages by license, as the end of NOTICE. */
export function noticeText(notice: string, packages: BundledPackage[]): string {
  const [start] = notice.split(LIST)
  const licenses = [...new Set(packages.map(({ license }) => license))].sort()
  const lines = licenses.map((each) => {
    const names = packages.filter(({ license }) => license === each).map(({ name }) => name)
    return `${each}: ${[...new Set(names)].join(', ')}\n`
  })
  return `${start}${LIST}${lines.map((line) => `\n${wrapped(line)}`).join('')}`
}

const LIST =
  'The files of the folder lib of the package contain parts of these packages; lib/licenses.txt has their licenses.\n'
const wrapped = (line: string) => line.replace(/(?=.{121}).{1,119}, /g, (part) => `${part.trimEnd()}\n  `)

interface Locked {
  name?: string
  version: string
  license?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  link?: boolean
}

/**
 * The bill of materials by CycloneDX: the packages that an install brings, and those that are inside of the files.
 * `npm sbom` knows nothing of bundles, and counts the latter as tools of development. The bill names no time of its making: the
 * same sources have the same bill.
 */
export function billOfMaterials(root: string, packages: BundledPackage[]): string {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const own = read('package.json')
  const locked = Object.entries<Locked>(read('package-lock.json').packages).flatMap(([path, each]) =>
    path.includes('node_modules/') && !each.link
      ? { ...each, name: each.name ?? path.replace(/^.*node_modules\//, '') }
      : [],
  )
  const bundled = new Map(packages.map((each) => [keyOf(each), each]))
  const shipped = new Map(
    locked.filter((each) => bundled.has(keyOf(each)) || !each.dev).map((each) => [keyOf(each), each]),
  )
  const components = [...shipped].map(([key, { name, version, license, integrity = '', optional }]) => ({
    ...componentOf('library', { name, version, license: bundled.get(key)?.license ?? license ?? '' }),
    scope: optional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    properties: [{ name: 'purser:bundled', value: String(bundled.has(key)) }],
  }))
  const metadata = { component: componentOf('application', own) }
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components })}\n`
}

function componentOf(type: string, { name, version, license }: Pick<BundledPackage, 'name' | 'version' | 'license'>) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type, 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }] }
}
