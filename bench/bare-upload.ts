import { createWriteStream } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The least that Node can do with an upload: stream it into a file. */
const folder = process.argv[2] as string
let arrived = 0

const server = createServer(async (request, response) => {
  if (request.method === 'POST')
    await pipeline(request, createWriteStream(join(folder, String(arrived++)), { flush: true }))
  response.end('ok')
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
