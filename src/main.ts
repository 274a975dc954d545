import { createApp } from './app.ts'
import { serve } from './http/serve.ts'
import { readSettings, WrongSettings } from './platform/config/settings.ts'
import { ConfigurationRefused } from './platform/config/site-file.ts'
import { NewerDatabase } from './platform/db/migrations/index.ts'
import { createLog } from './platform/log/log.ts'

/** How long a request may go on after the program was told to stop. */
const graceMs = 10_000

try {
  await start()
} catch (error) {
  const expected = [WrongSettings, ConfigurationRefused, NewerDatabase].some((kind) => error instanceof kind)
  const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  process.stderr.write(`${expected || inUse ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`)
  process.exit(1)
}

async function start() {
  const settings = readSettings()
  const log = createLog(settings.logLevel)
  const app = await createApp({ settings, log })
  const server = await serve(app, settings)

  log.info(
    {
      url: `http://localhost:${server.port}`,
      configuration: app.source(),
      database: settings.databaseUrl ? 'postgres' : 'sqlite',
      mail: settings.smtpUrl
        ? 'smtp'
        : `files under ${settings.dataDir}/mail: SMTP_URL is not set, so no letter leaves this machine`,
    },
    'listening',
  )
  if (process.stdout.isTTY) process.stdout.write(`\n  Etalage: http://localhost:${server.port}\n\n`)

  const stop = once(async (signal: string) => {
    log.info({ signal }, 'stopping')
    app.retire()
    await server.close(graceMs)
    await app.stop()
    log.info('stopped')
    process.exit(0)
  })
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))

  app.warm().catch((error) => log.error({ err: error }, 'warming failed'))
}

function once<T>(work: (given: T) => Promise<void>): (given: T) => Promise<void> {
  let running: Promise<void> | undefined
  return (given) => {
    running ??= work(given)
    return running
  }
}
