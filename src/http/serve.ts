import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { hasBody } from './page-cache.ts'

/** A server that stops gracefully. */
export interface RunningServer {
  port: number
  /** Accepts no new connections, lets running requests end, and cuts off those that still run after `graceMs`. A request
   * whose client left is waited for too.
   * @param lingerMs for so long, open connections without a request may still send one, which is then their last */
  close(graceMs: number, lingerMs?: number): Promise<void>
}

/**
 * Serves an app on a port.
 * @param app.serveCached answers a request without a body at once if it can; otherwise it goes through `fetch`
 * @param options.idleMs how long a connection may be silent during a request or response
 * @param options.bodyMs how long a body may take, unless it is an upload or a form, which may have attachments
 * @param options.unreadBodyMs how long a body may go on after the response, so that the client reads the response first
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
  let running = 0
  let lingering = false
  // `getRequestListener` replaces the global `Request` and `Response` by classes of its own, which hold status, headers and body
  // as they are, and create a stream only when one is read.
  const handle = getRequestListener(async (...request: Parameters<typeof app.fetch>) => {
    running++
    try {
      return await app.fetch(...request)
    } finally {
      running--
    }
  })
  // A request without a body gets a stream that has ended already, without events such as `end` or `close`: listen to the response. A
  // cached response takes a twelfth less processor time so.
  const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
    // HTTP/1.0, which some health checks still use, has no Host header.
    if (request.httpVersionMinor === 0) request.headers.host ??= 'localhost'
    const { socket } = request
    if (lingering) response.shouldKeepAlive = false
    if (app.serveCached(request, response)) {
      if (response.writableLength > 0) socket.setTimeout(idleMs)
      return
    }
    socket.setTimeout(idleMs)
    if (hasBody(request.headers)) limitBody(request, response, { bodyMs, unreadBodyMs })
    else if (asksOthers(request)) socket.setTimeout(askingWorkMs)
    void handle(request, response)
  })
  // Longer than the usual minute of load balancers, so that they close an idle connection first.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 60_000
  // For the largest upload on a slow line; other bodies have less, see `limitBody`.
  server.requestTimeout = 60 * 60_000
  // And not `server.timeout`, which would set a timer for each cached response too: a twentieth of its cost.
  server.on('connection', (socket) => socket.setTimeout(idleMs))
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections
  if (options.onConnectionRefused) server.on('drop', options.onConnectionRefused)
  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    close: (graceMs, lingerMs = 0) => {
      lingering = lingerMs > 0
      return close(server, { graceMs, lingerMs }, () => running)
    },
  }
}

/** For a form with attachments on a slow line: 26 MB at a quarter of a megabit per second. */
const formBodyMs = 15 * 60_000
/** A complete upload, also one of a form, waits for the image worker. */
const uploadWorkMs = 10 * 60_000
/** A backup may be hundreds of gigabytes, and far away. */
const backupWorkMs = 60 * 60_000

/** A place for backups may be silent for two minutes, twice; the checks of Health wait for one server after the other. */
const askingWorkMs = 5 * 60_000

/** Requests for which the program asks other servers, whose silence it explains in its answer. */
const asksOthers = ({ method, url = '' }: IncomingMessage) =>
  method === 'GET'
    ? /^\/api\/(health|mail-server\/checks)(\?|$)/.test(url)
    : /^\/api\/(backups\/(settings|try)|mail-server(\/\w+)?|links\/foreign\/check)$/.test(url)

const readsBackup = ({ method, url = '' }: IncomingMessage) =>
  method === 'POST' && /^\/api\/backups\/\d+\/(search|messages|pages)$/.test(url)

const isUpload = ({ method, url = '' }: IncomingMessage) =>
  (method === 'POST' || method === 'PUT') && /^\/api\/files(\?|\/\d+\/content)/.test(url)

const isFormWithFiles = ({ method, url = '', headers }: IncomingMessage) =>
  method === 'POST' && /^\/api\/forms\/[^/]+$/.test(url) && /^multipart\//i.test(headers['content-type'] ?? '')

/** Ends a connection whose body is too slow, whatever the method. An upload may take long, but only until it is refused. */
function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bodyMs, unreadBodyMs }: { bodyMs: number; unreadBodyMs: number },
): void {
  const { socket } = request
  const close = () => socket.destroy()
  let timer = isUpload(request) ? undefined : setTimeout(close, isFormWithFiles(request) ? formBodyMs : bodyMs)
  // Node goes on reading the body after the response.
  response.once('finish', () => {
    clearTimeout(timer)
    if (!request.complete) timer = setTimeout(close, unreadBodyMs)
  })
  request.once('end', () => {
    clearTimeout(timer)
    // The silence is the server's own.
    if (isUpload(request) || isFormWithFiles(request)) socket.setTimeout(uploadWorkMs)
    else if (readsBackup(request)) socket.setTimeout(backupWorkMs)
    else if (asksOthers(request)) socket.setTimeout(askingWorkMs)
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

/** @param running counts the requests that are being handled; a handler goes on after its client has left */
async function close(
  server: Server,
  { graceMs, lingerMs }: { graceMs: number; lingerMs: number },
  running: () => number,
): Promise<void> {
  const until = performance.now() + lingerMs + graceMs
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), lingerMs + graceMs)
    let closingIdle: NodeJS.Timeout | undefined
    const closeIdle = () => {
      server.closeIdleConnections()
      // `closeIdleConnections` counts a connection as idle only once its last response has ended.
      closingIdle = setInterval(() => server.closeIdleConnections(), 50)
    }
    const lingering = lingerMs > 0 ? setTimeout(closeIdle, lingerMs) : undefined
    if (!lingering) closeIdle()
    // Not `server.close`: it closes idle connections at once, also one that was accepted and has not sent its request yet.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline)
      clearTimeout(lingering)
      clearInterval(closingIdle)
      resolve()
    })
  })
  while (running() > 0 && performance.now() < until) await pause(10)
}
