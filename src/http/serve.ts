import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'

/** A server that can be stopped without cutting anyone off. */
export interface Serving {
  port: number
  /** Takes no new connections, lets running requests end, and after `graceMs` ends those that did not. */
  close(graceMs: number): Promise<void>
}

/**
 * Serves an app on a port.
 * @param give answers at once what it can; what it declines goes through `fetch`
 * @throws the error of `listen`, for one: that the port is taken
 */
export async function serve(
  app: {
    give(request: IncomingMessage, response: ServerResponse): boolean
    fetch: Parameters<typeof getRequestListener>[0]
  },
  at: { port: number; host: string | undefined; idleMs?: number },
): Promise<Serving> {
  const { idleMs = 30_000 } = at
  const slow = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
  })
  const server = createServer((request, response) => {
    // HTTP/1.0, as some health checks still speak it, names no host.
    if (request.httpVersionMinor === 0) request.headers.host ??= 'localhost'
    if (app.give(request, response)) return
    if (isUpload(request)) waitForWork(request)
    else limitBody(request)
    void slow(request, response)
  })
  // Longer than the minute that load balancers keep an idle connection, so that they close first.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 60_000
  // For the largest upload on a slow line; every other body has a minute.
  server.requestTimeout = 60 * 60_000
  // A client that takes nothing of its answer, or sends nothing of its request, is let go.
  server.timeout = idleMs
  await listen(server, at)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    close: (graceMs) => close(server, graceMs),
  }
}

const bodyTimeoutMs = 60_000
const workTimeoutMs = 10 * 60_000

const isUpload = ({ url = '' }: IncomingMessage) => /^\/api\/files(\?|\/\d+\/content)/.test(url)

/** Once all of an upload has come the silence is our own: it is looked at, after those that came before it. */
function waitForWork(request: IncomingMessage): void {
  request.once('end', () => request.socket.setTimeout(workTimeoutMs))
}

/** Ends a request whose body drips. */
function limitBody(request: IncomingMessage): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const late = setTimeout(() => request.socket.destroy(), bodyTimeoutMs)
  for (const over of ['end', 'close']) request.once(over, () => clearTimeout(late))
}

function listen(server: Server, { port, host }: { port: number; host: string | undefined }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, ...(host && { host }) }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    // A client keeps the connection of its last request; it is idle only when that has been answered.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(grace)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}
