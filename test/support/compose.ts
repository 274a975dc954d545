import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { type Container, type Mount, type Service, type StartedService, startByImage } from './compose-services.ts'
import { aRootFolder, type Image } from './dockerfile.ts'

/** All keys of `Service`. A compose file with another key is refused until `composeUp` knows it. */
const knownKeys = new Set([
  ...['image', 'build', 'command', 'environment', 'volumes', 'ports', 'depends_on', 'healthcheck'],
  ...['stop_grace_period', 'restart'],
])

export interface Composition {
  /** By the name of the service. */
  containers: Map<string, Container>
  /** The port on this machine by the one in the file. */
  publishedPorts: Map<number, number>
  /** The folder of a named volume. */
  volumeFolder(name: string): string
  /** Stops a service and starts it in a new container, which keeps only the named volumes, as `up` does with a newer image. */
  replace(name: string): Promise<void>
  /** Replaces the addresses of services in a text, `database:5432`, by those on this machine. */
  translate(text: string): string
}

/**
 * Starts the services of a compose file on this machine, each when those in its `depends_on` meet their condition. They end
 * with the test. Different from a container engine:
 * - A path of a container is that path below a folder of its own. A named volume is a folder that stays.
 * - `name:port` of a service is `127.0.0.1` and a free port, in its settings and in its configuration file; so are published ports.
 * - PostgreSQL and Caddy are those of this machine. The S3 server is that of the tests, in which a bucket is a folder too. It
 *   accepts any secret, so the secret of the program is compared when it starts.
 * - Caddy and the program listen on loopback only. Caddy's own certificates are not added to those that this machine trusts.
 * - A service is asked more often whether it is healthy. One that ends is not started again.
 *
 * @param env the variables that the file uses; it must use all of them
 * @throws for a key, an image or a setting of the file that is not supported here
 */
export async function composeUp(file: string, env: Record<string, string>, program: Image): Promise<Composition> {
  const { services, volumes = {} } = readCompose(file, env)
  const addresses = new Map<string, string>()
  const composition: Composition = {
    containers: new Map(),
    publishedPorts: new Map(),
    volumeFolder: (name) => volumeFolders.get(name) ?? '',
    translate: (text) =>
      text.replace(/(?<![\w.-])([\w-]+:\d+)\b/g, (address: string) => addresses.get(address) ?? address),
    replace: async (name) => {
      const code = await composition.containers.get(name)?.stop()
      if (code !== 0) throw new Error(`${name} did not stop by itself: ${code}`)
      await start(name)
    },
  }
  const volumeFolders = new Map(Object.keys(volumes).map((name) => [name, join(aRootFolder(), name)]))

  const starts = new Map<string, Promise<StartedService>>()
  const startOnce = (name: string): Promise<StartedService> => {
    const starting = starts.get(name) ?? start(name)
    starts.set(name, starting)
    return starting
  }
  const start = async (name: string): Promise<StartedService> => {
    const service = services[name]
    if (!service) throw new Error(`${file} has no service ${name}`)
    const dependencies = Array.isArray(service.depends_on)
      ? service.depends_on.map((other) => [other, { condition: 'service_started' }] as const)
      : Object.entries(service.depends_on ?? {})
    await Promise.all(dependencies.map(async ([other, { condition }]) => (await startOnce(other)).waitFor(condition)))

    const mounts = (service.volumes ?? []).map((volume) => parseMount(volume, file, volumeFolders))
    const imageName = service.build ? 'program' : (service.image?.split(':')[0] ?? '')
    const startService = startByImage[imageName]
    if (!startService) throw new Error(`${file}: the image ${service.image} of ${name} is not known`)
    const startedService = await startService({ name, service, mounts, program, file, composition, addresses })
    composition.containers.set(name, startedService.container)
    return startedService
  }
  for (const name of Object.keys(services)) await startOnce(name)
  return composition
}

/** Reads the file, with the values of `env` in place of its variables: `${NAME}`, `${NAME:-default}`, `${NAME:?error}`. */
function readCompose(file: string, env: Record<string, string>) {
  const used = new Set<string>()
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?:(:[-?])([^}]*))?\}/g, (_, name: string, modifier?: string, argument = '') => {
      used.add(name)
      const value = env[name]
      if (value) return value
      if (modifier === ':?') throw new Error(`${file} needs ${name}: ${argument}`)
      return argument
    })
  const raw: { services: Record<string, Service>; volumes?: Record<string, null> } = parse(readFileSync(file, 'utf8'))
  const filled: typeof raw = JSON.parse(JSON.stringify(raw), (_, value) =>
    typeof value === 'string' ? fill(value) : value,
  )
  const unused = Object.keys(env).filter((name) => !used.has(name))
  const unknown = Object.values(filled.services).flatMap((service) =>
    Object.keys(service).filter((key) => !knownKeys.has(key)),
  )
  if (unused.length + unknown.length > 0) throw new Error(`${file} does not use ${unused}, and has ${unknown}`)
  return filled
}

/** @param text `./file:/path` or `volume:/path` */
function parseMount(text: string, file: string, volumeFolders: ReadonlyMap<string, string>): Mount {
  const [from = '', to = ''] = text.split(':')
  if (from.startsWith('.')) return { from: resolve(dirname(file), from), to, isVolume: false }
  const folder = volumeFolders.get(from)
  if (!folder) throw new Error(`${file} declares no volume ${from}`)
  return { from: folder, to, isVolume: true }
}
