import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** The least that Node can do: one response from memory to every request. The baseline of every figure. */
const { headers, body }: { headers: string[]; body: string } = JSON.parse(
  readFileSync(process.argv[2] as string, 'utf8'),
)
const bytes = Buffer.from(body, 'base64')

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.keepAliveTimeout = 65_000
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
