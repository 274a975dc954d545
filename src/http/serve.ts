import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { hasBody } from './page-cache.ts'

/** A server that stops gracefully. */
interface RunningServer {
  port: number
  /**
   * Accepts no new connections, and resolves when all running requests have ended, also without their client.
   * @param graceMs after this time, and `lingerMs`, connections are closed and no request is waited for
   * @param lingerMs how long an open connection without a request may still send one, which is then its last
   */
  close(graceMs: number, lingerMs?: number): Promise<void>
}

/**
 * Serves an app on a port.
 * @param app.serveCached responds to a request if it can; false when it has not, and `fetch` must respond
 * @param options.idleMs how long a connection may be silent during a request or response
 * @param options.bodyMs how long a request body may take; an upload and a form with attachments may take longer
 * @param options.unreadBodyMs how long a body may continue after the response: the client reads that last
 * @param options.onConnectionRefused called for each connection beyond `maxConnections`
 * @throws the error of `listen`, such as a port that is in use
 */
export async function serve(
  app: {
    serveCached(request: IncomingMessage, response: ServerResponse): boolean
    fetch: Parameters<typeof getRequestListener>[0]
  },
  options: {
    port: number
    host: string | undefined
    idleMs?: number
    bodyMs?: number
    unreadBodyMs?: number
    maxConnections?: number
    /** Other processes listen on the same port. */
    reusePort?: boolean
    /** A socket that was inherited, instead of `port` and `host`. */
    fd?: number
    onConnectionRefused?: () => void
  },
): Promise<RunningServer> {
  const { idleMs = 30_000, bodyMs = 60_000, unreadBodyMs = 5_000 } = options
  let runningRequests = 0
  let isLingering = false
  // `getRequestListener` replaces the global `Request` and `Response` by its own classes, which hold status, headers
  // and body as they are, and create a stream only when the body is read.
  const handleRequest = getRequestListener(async (...request: Parameters<typeof app.fetch>) => {
    runningRequests++
    try {
      return await app.fetch(...request)
    } finally {
      runningRequests--
    }
  })
  // `optimizeEmptyRequests` saves a twelfth of the processor time of a cached response. A request without a body then
  // emits no events such as `end` or `close`: listen to the response.
  const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
    // HTTP/1.0, which some health checks still use, has no Host header.
    if (request.httpVersionMinor === 0) request.headers.host ??= 'localhost'
    const { socket } = request
    if (isLingering) response.shouldKeepAlive = false
    if (app.serveCached(request, response)) {
      if (response.writableLength > 0) socket.setTimeout(idleMs)
      return
    }
    socket.setTimeout(idleMs)
    if (hasBody(request.headers)) limitBody(request, response, { bodyMs, unreadBodyMs })
    else if (callsOtherServers(request)) socket.setTimeout(otherServersMs)
    void handleRequest(request, response)
  })
  // Longer than the usual minute of load balancers, so that they close an idle connection first.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 60_000
  // For the largest upload on a slow line; other bodies have less, see `limitBody`.
  server.requestTimeout = 60 * 60_000
  // Not `server.timeout`, which would set a timer for each cached response too: a twentieth of its cost.
  server.on('connection', (socket) => socket.setTimeout(idleMs))
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections
  if (options.onConnectionRefused) server.on('drop', options.onConnectionRefused)
  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    close: (graceMs, lingerMs = 0) => {
      isLingering = lingerMs > 0
      return close(server, { graceMs, lingerMs }, () => runningRequests)
    },
  }
}

/** For a form with attachments on a slow line: 26 MB at a quarter of a megabit per second. */
const formBodyMs = 15 * 60_000
/** A complete upload, also one of a form, waits for the image worker. */
const uploadWorkMs = 10 * 60_000
/** Reading a backup: it may have hundreds of gigabytes, and be on a slow connection. */
const backupWorkMs = 60 * 60_000

/** A backup target may be silent for two minutes, twice; the health checks wait for one server after the other. */
const otherServersMs = 5 * 60_000

/** Whether the handler calls other servers. It must outlast their timeouts, because its response explains them. */
const callsOtherServers = ({ method, url = '' }: IncomingMessage) =>
  method === 'GET'
    ? /^\/api\/(health|mail-server\/checks)(\?|$)/.test(url)
    : /^\/api\/(backups\/(settings|try)|mail-server(\/\w+)?|links\/foreign\/check)$/.test(url)

const readsBackup = ({ method, url = '' }: IncomingMessage) =>
  method === 'POST' && /^\/api\/backups\/\d+\/(search|messages|pages)$/.test(url)

const isUpload = ({ method, url = '' }: IncomingMessage) =>
  (method === 'POST' || method === 'PUT') && /^\/api\/files(\?|\/\d+\/content)/.test(url)

const isFormWithFiles = ({ method, url = '', headers }: IncomingMessage) =>
  method === 'POST' && /^\/api\/forms\/[^/]+$/.test(url) && /^multipart\//i.test(headers['content-type'] ?? '')

/** Closes a connection whose request body is too slow. An upload has no limit of its own until the response. */
function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bodyMs, unreadBodyMs }: { bodyMs: number; unreadBodyMs: number },
): void {
  const { socket } = request
  const destroy = () => socket.destroy()
  let timer = isUpload(request) ? undefined : setTimeout(destroy, isFormWithFiles(request) ? formBodyMs : bodyMs)
  // Node continues to read the body after the response.
  response.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(destroy, unreadBodyMs)
  })
  request.once('end', () => {
    clearTimeout(timer)
    // From here on, the connection is silent because the server works.
    if (isUpload(request) || isFormWithFiles(request)) socket.setTimeout(uploadWorkMs)
    else if (readsBackup(request)) socket.setTimeout(backupWorkMs)
    else if (callsOtherServers(request)) socket.setTimeout(otherServersMs)
  })
  request.once('close', () => clearTimeout(timer))
}

function listen(
  server: Server,
  { port, host, reusePort = false, fd }: { port: number; host: string | undefined; reusePort?: boolean; fd?: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(fd === undefined ? { port, reusePort, ...(host && { host }) } : { fd }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** @param countRunning counts the requests that are being handled, also those whose client disconnected */
async function close(
  server: Server,
  { graceMs, lingerMs }: { graceMs: number; lingerMs: number },
  countRunning: () => number,
): Promise<void> {
  const deadline = performance.now() + lingerMs + graceMs
  await new Promise<void>((resolve) => {
    const closeAllTimer = setTimeout(() => server.closeAllConnections(), lingerMs + graceMs)
    let idleTimer: NodeJS.Timeout | undefined
    const closeIdle = () => {
      server.closeIdleConnections()
      // `closeIdleConnections` counts a connection as idle only once its last response has ended.
      idleTimer = setInterval(() => server.closeIdleConnections(), 50)
    }
    const lingerTimer = lingerMs > 0 ? setTimeout(closeIdle, lingerMs) : undefined
    if (!lingerTimer) closeIdle()
    // Not `server.close`: it closes idle connections at once, also a new one that has not sent its request yet.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(closeAllTimer)
      clearTimeout(lingerTimer)
      clearInterval(idleTimer)
      resolve()
    })
  })
  while (countRunning() > 0 && performance.now() < deadline) await pause(10)
}
