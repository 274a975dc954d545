import { createApp } from './app.ts'
import { ensureAdministrator } from './domain/sign-in/first-administrator.ts'
import { serve } from './http/serve.ts'
import { readSettings } from './platform/config/settings.ts'
import { restingOn } from './platform/config/unusable.ts'
import { createLog } from './platform/log/log.ts'
import { operatorWords } from './platform/operator-words.ts'

/** How long a request may go on after the program was told to stop. */
const graceMs = 10_000
/** Whatever hangs, the program ends: before the half minute after which those that watch over it kill it. */
const stopWithinMs = 25_000
/** One Ctrl+C arrives more than once: from the terminal, and from each program in between that passes it on. */
const sameSignalMs = 1_000

// What the program writes holds what people wrote: it is for its owner alone.
process.umask(0o077)

try {
  await start()
} catch (error) {
  process.stderr.write(`${operatorWords(error)}\n`)
  process.exit(1)
}

async function start() {
  const settings = readSettings()
  const log = createLog(settings.logLevel)
  const app = await createApp({ settings, log })
  const server = await restingOn(
    (code) => (code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'),
    () => serve(app, settings),
  ).catch(async (error) => {
    await app.stop()
    throw error
  })
  const local = `http://localhost:${server.port}`
  const first = await ensureAdministrator({ ...app.context(), origin: settings.baseUrl ?? local }, settings.admin)
  app.work()

  // The one link that a log may hold: it is how the first administrator is made where there is no screen.
  if (first.link)
    log.warn({ setup: first.link }, 'nobody manages users yet: open this link to make the first administrator')
  if (first.made) log.info('the administrator of ADMIN_EMAIL is made')

  log.info(
    {
      url: local,
      configuration: app.source(),
      database: settings.databaseUrl ? 'postgres' : 'sqlite',
      mail: settings.smtpUrl
        ? 'smtp'
        : `files under ${settings.dataDir}/mail: SMTP_URL is not set, so no letter leaves this machine`,
    },
    'listening',
  )
  if (process.stdout.isTTY) {
    process.stdout.write(`\n  Etalage: ${local}\n`)
    if (first.link) process.stdout.write(`  Make the first administrator: ${first.link}\n`)
    process.stdout.write('\n')
  }

  let stopping: number | undefined
  const end = (why: string) => {
    log.warn(`ended before all was done: ${why}`)
    process.exit(1)
  }
  const stop = async (signal: string) => {
    if (stopping !== undefined) {
      if (performance.now() - stopping > sameSignalMs) end('a second signal')
      return
    }
    stopping = performance.now()
    log.info({ signal }, 'stopping')
    setTimeout(() => end('stopping took too long'), stopWithinMs).unref()
    app.retire()
    await server.close(graceMs)
    await app.stop()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))

  app.warm().catch((error) => log.error({ err: error }, 'warming failed'))
}
