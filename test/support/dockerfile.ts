import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAfterTest } from './close-after-test.ts'

/** What the last stage of the Dockerfile says, and its files. */
export interface Image {
  /** The files of the image, below this folder. */
  root: string
  workdir: string
  env: Record<string, string>
  /** The user that it runs as; undefined where this process may not become another one. */
  uid: number | undefined
  volumes: string[]
  healthcheck: string[]
  stopSignal: NodeJS.Signals
  command: string[]
  /** The packages of Debian that it installs. */
  packages: string[]
}

/**
 * A folder that other users may enter, as the files of an image and of a container are; it is removed after the test.
 */
export function aRootFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'etalage-root-'))
  closeAfterTest(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  return root
}

/** The absolute paths in a text become paths below `root`; those of URLs stay. */
export const pathsBelow = (root: string, text: string): string => text.replace(/(?<![^\s:=])\/(?=[a-z])/g, `${root}/`)

/**
 * Builds the image of the Dockerfile on this machine, instruction by instruction. Different from a container engine:
 * - A path of the image is that path below a folder.
 * - Packages of Debian are not installed (`apt-get`, and `rm` of its lists), and no user is added (`useradd`): its number is used.
 * - `COPY . .` copies nothing: the build runs in the folder of the project, as it is.
 *
 * @throws for an instruction or a command that it does not know
 */
export function buildImage(): Image {
  const root = aRootFolder()
  const users = new Map<string, number>()
  const image: Image = {
    ...{ root, workdir: '/', env: {}, uid: undefined, volumes: [], packages: [] },
    ...{ healthcheck: [], stopSignal: 'SIGTERM', command: [] },
  }

  const runCommand = (command: string) => {
    const [program, ...args] = command.split(/\s+/)
    if (program === 'useradd') users.set(args.at(-1) ?? '', Number(args[args.indexOf('--uid') + 1]))
    else if (program === 'apt-get') image.packages.push(...args.filter((arg) => !/^(-|install$|update$)/.test(arg)))
    else if (program === 'install')
      execFileSync(
        program,
        ownedBy(args, users).map((arg) => pathsBelow(root, arg)),
      )
    else if (program === 'npm')
      execFileSync(
        program,
        args.map((arg) => pathsBelow(root, arg)),
        { stdio: 'pipe' },
      )
    else if (command !== 'rm -rf /var/lib/apt/lists/*') throw new Error(`The Dockerfile runs ${command}`)
  }

  for (const { name, rest } of instructions()) {
    if (name === 'FROM') Object.assign(image, { env: {}, packages: [], workdir: '/' })
    else if (name === 'RUN') for (const command of rest.split('&&')) runCommand(command.trim())
    else if (name === 'COPY') copy(root, rest)
    else if (name === 'WORKDIR') image.workdir = rest
    else if (name === 'ENV') image.env = Object.fromEntries(rest.split(' ').map((one) => one.split('=')))
    else if (name === 'USER') {
      image.uid = numberOf(users, rest)
      // An engine takes it from the list of users.
      image.env.HOME = `/home/${rest}`
    } else if (name === 'VOLUME') image.volumes.push(rest)
    else if (name === 'HEALTHCHECK') image.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')))
    else if (name === 'STOPSIGNAL') image.stopSignal = rest as NodeJS.Signals
    else if (name === 'CMD') image.command = JSON.parse(rest)
    else if (name !== 'EXPOSE') throw new Error(`The Dockerfile has ${name} ${rest}`)
  }
  return image
}

function instructions(): { name: string; rest: string }[] {
  const lines = readFileSync('Dockerfile', 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const space = line.indexOf(' ')
    return { name: line.slice(0, space), rest: line.slice(space + 1) }
  })
}

function copy(root: string, what: string): void {
  if (what === '. .') return
  const [, from, to] = /^--from=build (\S+) (\S+)$/.exec(what) ?? []
  if (!from || !to) throw new Error(`The Dockerfile copies ${what}`)
  renameSync(pathsBelow(root, from), pathsBelow(root, to))
}

const isRoot = () => process.getuid?.() === 0

function numberOf(users: ReadonlyMap<string, number>, name: string): number | undefined {
  const uid = users.get(name)
  if (uid === undefined) throw new Error(`The Dockerfile adds no user ${name}`)
  return isRoot() ? uid : undefined
}

/** The arguments of `install` with the number of the owner, or without an owner where this process cannot give files away. */
function ownedBy(args: readonly string[], users: ReadonlyMap<string, number>): string[] {
  const at = args.indexOf('--owner')
  if (at < 0) return [...args]
  const uid = numberOf(users, args[at + 1] ?? '')
  return [...args.slice(0, at), ...(uid === undefined ? [] : ['--owner', String(uid)]), ...args.slice(at + 2)]
}
