import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { serve } from '../../src/http/serve.ts'
import { closeAfterTest } from './close-after-test.ts'
import { aTestApp, type TestApp } from './test-app.ts'
import { patienceMs } from './wait-until.ts'

/** A raw response: not decompressed, no redirect followed. */
export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface ServedApp extends TestApp {
  port: number
  /** `http://127.0.0.1:41234` */
  url: string
  /** Requests a path exactly as it is written, including `..`. */
  fetchRaw(
    path: string,
    how?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<RawResponse>
  /** Sends raw bytes on a new connection. @returns everything received until the server closed it or was silent for long */
  sendBytes(bytes: string): Promise<string>
}

/** A test app that also listens on a real port, until the test ends, so that responses of the page cache are tested too. */
export async function aServedApp(options: Parameters<typeof aTestApp>[0] = {}): Promise<ServedApp> {
  const site = await aTestApp(options)
  const server = await serve(site.app, { port: 0, host: '127.0.0.1' })
  closeAfterTest(() => server.close(1_000))
  const { port } = server
  return {
    ...site,
    port,
    url: `http://127.0.0.1:${port}`,
    async fetchRaw(path, { method = 'GET', headers = {}, body } = {}) {
      const clientRequest = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
      clientRequest.end(body)
      const [response] = await once(clientRequest, 'response')
      return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
    },
    async sendBytes(bytes) {
      const socket = connect(port, '127.0.0.1')
      // A server may send nothing and not close the connection.
      socket.setTimeout(patienceMs, () => socket.destroy())
      let received = ''
      socket.setEncoding('latin1').on('data', (text: string) => {
        received += text
      })
      socket.on('error', () => {})
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(bytes, 'latin1')
      await closed
      return received
    },
  }
}
