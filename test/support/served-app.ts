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
  /** Sends raw bytes. @returns everything received until the server closed or went silent */
  sendBytes(bytes: string): Promise<string>
}

/** The real app on a real socket, so that responses from the cache are included. */
export async function aServedApp(different: Parameters<typeof aTestApp>[0] = {}): Promise<ServedApp> {
  const site = await aTestApp(different)
  const server = await serve(site.app, { port: 0, host: '127.0.0.1' })
  closeAfterTest(() => server.close(1_000))
  const { port } = server
  return {
    ...site,
    port,
    url: `http://127.0.0.1:${port}`,
    async fetchRaw(path, { method = 'GET', headers = {}, body } = {}) {
      const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
      asked.end(body)
      const [response] = await once(asked, 'response')
      return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
    },
    async sendBytes(bytes) {
      const socket = connect(port, '127.0.0.1')
      // A server that says nothing and does not close the connection is waited for no longer.
      socket.setTimeout(patienceMs, () => socket.destroy())
      let answered = ''
      socket.setEncoding('latin1').on('data', (text: string) => {
        answered += text
      })
      socket.on('error', () => {})
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(bytes, 'latin1')
      await closed
      return answered
    },
  }
}
