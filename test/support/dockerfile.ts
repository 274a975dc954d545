import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAfterTest } from './close-after-test.ts'

/** The result of the last stage of the Dockerfile. */
export interface Image {
  /** The folder that contains the files of the image. */
  root: string
  workdir: string
  env: Record<string, string>
  /** The number of the user that it runs as; undefined when this process is not root and so cannot become another user. */
  uid: number | undefined
  volumes: string[]
  healthcheck: string[]
  stopSignal: NodeJS.Signals
  command: string[]
  /** The names of the Debian packages that it installs. */
  packages: string[]
}

/** A folder for the files of an image or a container, which other users may enter too; it is removed when the test ends. */
export function aRootFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'etalage-root-'))
  closeAfterTest(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  return root
}

/** Puts `root` before the absolute paths in a text; the paths of URLs stay. */
export const pathsBelow = (root: string, text: string): string => text.replace(/(?<![^\s:=])\/(?=[a-z])/g, `${root}/`)

/**
 * Builds the image of the Dockerfile on this machine, instruction by instruction. Different from a container engine:
 * - A path of the image is that path below a folder.
 * - Debian packages are not installed (`apt-get`, and `rm` of its lists), and no user is added (`useradd`): its number is used.
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
        withNumericOwner(args, users).map((arg) => pathsBelow(root, arg)),
      )
    else if (program === 'npm')
      execFileSync(
        program,
        args.map((arg) => pathsBelow(root, arg)),
        { stdio: 'pipe' },
      )
    else if (command !== 'rm -rf /var/lib/apt/lists/*') throw new Error(`The Dockerfile runs ${command}`)
  }

  for (const { name, rest } of readInstructions()) {
    if (name === 'FROM') Object.assign(image, { env: {}, packages: [], workdir: '/' })
    else if (name === 'RUN') for (const command of rest.split('&&')) runCommand(command.trim())
    else if (name === 'COPY') copyFiles(root, rest)
    else if (name === 'WORKDIR') image.workdir = rest
    else if (name === 'ENV') image.env = Object.fromEntries(rest.split(' ').map((variable) => variable.split('=')))
    else if (name === 'USER') {
      image.uid = findUid(users, rest)
      // A container engine takes it from /etc/passwd.
      image.env.HOME = `/home/${rest}`
    } else if (name === 'VOLUME') image.volumes.push(rest)
    else if (name === 'HEALTHCHECK') image.healthcheck = JSON.parse(rest.slice(rest.indexOf('[')))
    else if (name === 'STOPSIGNAL') image.stopSignal = rest as NodeJS.Signals
    else if (name === 'CMD') image.command = JSON.parse(rest)
    else if (name !== 'EXPOSE') throw new Error(`The Dockerfile has ${name} ${rest}`)
  }
  return image
}

/** Reads the Dockerfile, without comments and with continued lines joined. */
function readInstructions(): { name: string; rest: string }[] {
  const lines = readFileSync('Dockerfile', 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const space = line.indexOf(' ')
    return { name: line.slice(0, space), rest: line.slice(space + 1) }
  })
}

/** Executes `COPY`. Files of the build stage are moved: both stages have the same root, and nothing needs them there any more. */
function copyFiles(root: string, args: string): void {
  if (args === '. .') return
  const [, from, to] = /^--from=build (\S+) (\S+)$/.exec(args) ?? []
  if (!from || !to) throw new Error(`The Dockerfile copies ${args}`)
  renameSync(pathsBelow(root, from), pathsBelow(root, to))
}

const isRoot = () => process.getuid?.() === 0

/** @returns the number of a user, undefined when this process is not root. @throws when `useradd` did not add that user */
function findUid(users: ReadonlyMap<string, number>, name: string): number | undefined {
  const uid = users.get(name)
  if (uid === undefined) throw new Error(`The Dockerfile adds no user ${name}`)
  return isRoot() ? uid : undefined
}

/** The arguments of `install` with the number of the owner instead of its name, or without an owner when this is not root. */
function withNumericOwner(args: readonly string[], users: ReadonlyMap<string, number>): string[] {
  const ownerIndex = args.indexOf('--owner')
  if (ownerIndex < 0) return [...args]
  const uid = findUid(users, args[ownerIndex + 1] ?? '')
  const owner = uid === undefined ? [] : ['--owner', String(uid)]
  return [...args.slice(0, ownerIndex), ...owner, ...args.slice(ownerIndex + 2)]
}
