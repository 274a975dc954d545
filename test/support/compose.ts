import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { type Container, kinds, type Mount, type Service, type Started } from './compose-services.ts'
import { aRootFolder, type Image } from './dockerfile.ts'

/** All keys of `Service`: a file with another one needs a step here. */
const knownKeys = new Set([
  ...['image', 'build', 'command', 'environment', 'volumes', 'ports', 'depends_on', 'healthcheck'],
  ...['stop_grace_period', 'restart'],
])

export interface Composition {
  containers: Map<string, Container>
  /** The port of this machine by the one in the file. */
  published: Map<number, number>
  /** The folder of a named volume. */
  volume(name: string): string
  /** Stops a service, removes what is in no named volume, and starts it anew, as `up` does with a newer image. */
  replace(name: string): Promise<void>
  /** With the addresses of services in it replaced by those on this machine. */
  translated(text: string): string
}

/**
 * Starts the services of a compose file on this machine in the order of `depends_on`, each when those before it are as the file
 * wants. Different from a container engine:
 * - A path of a container is that path below a folder of its own. A named volume is a folder that stays.
 * - `name:port` of a service is `127.0.0.1` and a free port, in its settings and in its configuration file; so are published ports.
 * - PostgreSQL and Caddy are those of this machine. The S3 server is that of the tests, in which a bucket is a folder too. It takes
 *   any secret, so that is compared here.
 * - Caddy and the program listen on loopback only. Caddy's own certificates are not added to those that this machine trusts.
 * - A service is asked more often whether it is healthy. One that ends is not started again.
 *
 * @param env of the file, which must use all of it
 * @throws for what the file has and this function does not know
 */
export async function composeUp(file: string, env: Record<string, string>, program: Image): Promise<Composition> {
  const { services, volumes = {} } = readCompose(file, env)
  const addresses = new Map<string, string>()
  const composition: Composition = {
    containers: new Map(),
    published: new Map(),
    volume: (name) => volumeFolders.get(name) ?? '',
    translated: (text) =>
      text.replace(/(?<![\w.-])([\w-]+:\d+)\b/g, (address: string) => addresses.get(address) ?? address),
    replace: async (name) => {
      const code = await composition.containers.get(name)?.stop()
      if (code !== 0) throw new Error(`${name} did not stop by itself: ${code}`)
      await start(name)
    },
  }
  const volumeFolders = new Map(Object.keys(volumes).map((name) => [name, join(aRootFolder(), name)]))

  const started = new Map<string, Promise<Started>>()
  const up = (name: string): Promise<Started> => {
    const starting = started.get(name) ?? start(name)
    started.set(name, starting)
    return starting
  }
  const start = async (name: string): Promise<Started> => {
    const service = services[name]
    if (!service) throw new Error(`${file} has no service ${name}`)
    const needed = Array.isArray(service.depends_on)
      ? service.depends_on.map((other) => [other, { condition: 'service_started' }] as const)
      : Object.entries(service.depends_on ?? {})
    await Promise.all(needed.map(async ([other, { condition }]) => (await up(other)).reached(condition)))

    const mounts = (service.volumes ?? []).map((one) => mountOf(one, file, volumeFolders))
    const kind = service.build ? 'program' : (service.image?.split(':')[0] ?? '')
    const startKind = kinds[kind]
    if (!startKind) throw new Error(`${file}: the image ${service.image} of ${name} is not known`)
    const begun = await startKind({ name, service, mounts, program, file, composition, addresses })
    composition.containers.set(name, begun.container)
    return begun
  }
  for (const name of Object.keys(services)) await up(name)
  return composition
}

/** The services with the values of `env` in them, as compose fills them in. */
function readCompose(file: string, env: Record<string, string>) {
  const used = new Set<string>()
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?:(:[-?])([^}]*))?\}/g, (_, name: string, how?: string, otherwise = '') => {
      used.add(name)
      const value = env[name]
      if (value) return value
      if (how === ':?') throw new Error(`${file} needs ${name}: ${otherwise}`)
      return otherwise
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

function mountOf(text: string, file: string, volumeFolders: ReadonlyMap<string, string>): Mount {
  const [from = '', to = ''] = text.split(':')
  if (from.startsWith('.')) return { from: resolve(dirname(file), from), to, isVolume: false }
  const folder = volumeFolders.get(from)
  if (!folder) throw new Error(`${file} declares no volume ${from}`)
  return { from: folder, to, isVolume: true }
}
