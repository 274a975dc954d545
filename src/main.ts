import { setTimeout as pause } from 'node:timers/promises'
import { serve } from './http/serve.ts'
import { readSettings, type Settings } from './platform/config/settings.ts'
import { validating } from './platform/config/unusable-settings.ts'
import { checkWritable, isDatabaseUnavailable } from './platform/db/database.ts'
import { endProcess, waitForOpenFiles } from './platform/end-process.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { operatorMessage } from './platform/operator-message.ts'
import { idleIntervalMs, type Poller, startPoller } from './platform/poller.ts'
import { assignedWork, followSupervisor, report, reportWork, superviseWorkers } from './workers.ts'

/** How long running requests may go on after the server stopped accepting new ones. */
const graceMs = 10_000
/** The process exits within this time after the drain; the time limit of a service manager must be longer than the sum. */
const stopWithinMs = 25_000
/** Signals within this time are one: Ctrl+C comes from the terminal, and from each process that forwards it. */
const sameSignalMs = 1_000
const logRefusedEveryMs = 60_000
const reportCountsEveryMs = 1_000
/** How long a replaced program keeps its open connections, on which requests may still arrive. */
const replacedLingerMs = 5_000

// Files contain personal data: only their owner may read them.
process.umask(0o077)
// Node takes small buffers from shared blocks, and one live buffer keeps its whole block in memory. With its blocks of
// 64 KB, the buffers of compression would cause a full garbage collection every two hundred pages.
Buffer.poolSize = 8_192

try {
  const settings = readSettings()
  const work = assignedWork()
  if (settings.workers > 1 && (!work || work.role === 'launched')) await superviseWorkers(settings)
  else await start(settings)
} catch (error) {
  process.stderr.write(`${operatorMessage(error)}\n`)
  process.exit(1)
}

async function start(settings: Settings) {
  const work = assignedWork()
  const log = createLog(settings.logLevel)
  // Imported here, because the supervisor of workers needs none of it.
  const { createApp } = await import('./app.ts')
  const app = await createApp({
    settings,
    log,
    backupProcesses: true,
    ...(work?.role === 'serve' && { wakeElsewhere: reportWork }),
    ...(work?.fd !== undefined && { countResponse: countResponses() }),
  })
  const server = await validating(
    (code) => (code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'),
    () =>
      serve(app, {
        ...settings,
        ...(work && (work.fd === undefined ? { port: work.port, reusePort: true } : { fd: work.fd })),
        onConnectionRefused: logRefusedConnections(log),
      }),
  ).catch(async (error) => {
    await app.stop()
    throw error
  })
  app.warm().catch((error) => log.error({ err: error }, 'warming failed'))
  const localUrl = `http://localhost:${server.port}`
  /** @returns the setup link, when nobody manages users and ADMIN_EMAIL is not set; only in the process that runs the jobs */
  const ensureFirstAdministrator = async () => {
    if (work?.role === 'serve') return
    const { ensureAdministrator } = await import('./domain/sign-in/first-administrator.ts')
    const { link, isCreated } = await ensureAdministrator(
      { ...app.context(), origin: settings.baseUrl ?? localUrl },
      settings.admin,
    )
    // The only link that is logged: without a terminal there is no other way to create the first administrator.
    if (link) log.warn({ setup: link }, 'nobody manages users yet: open this link to create the first administrator')
    if (isCreated) log.info('the administrator of ADMIN_EMAIL was created')
    return link
  }
  let setUpPoller: Poller | undefined
  const setUp = async () => {
    let setupLink: string | undefined
    try {
      setupLink = await ensureFirstAdministrator()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      // Retries; until it succeeds, the jobs are not started, and `/readyz` reports `not ready`.
      const run = async () => {
        await ensureFirstAdministrator()
        await app.startJobs()
        void setUpPoller?.stop()
        return idleIntervalMs
      }
      setUpPoller = startPoller({ task: 'creating the first administrator', run, log })
    }
    await checkWritable(app.context().db).catch((error) =>
      log.error(
        { err: error },
        'started read-only: nothing can be saved, and visitors read the site if the database can be read; see err for the cause',
      ),
    )
    if (!setUpPoller) await app.startJobs()
    return setupLink
  }
  const settingUp = setUp()

  let isStopping = false
  const endEarly = (reason: string) => {
    log.warn(`ended before all was done: ${reason}`)
    endProcess(1)
  }
  const stop = async (options: { signal?: NodeJS.Signals; drainMs?: number; lingerMs?: number }) => {
    if (isStopping) return
    isStopping = true
    const { signal, drainMs = 0, lingerMs = 0 } = options
    log.info({ signal }, 'stopping')
    app.beginDraining()
    await pause(drainMs)
    setTimeout(() => endEarly('stopping took too long'), stopWithinMs).unref()
    await server.close(graceMs, lingerMs)
    await settingUp.catch(() => {})
    await setUpPoller?.stop()
    await app.stop()
    await waitForOpenFiles()
    log.info('stopped')
    endProcess(0)
  }
  let firstSignalAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      firstSignalAt ??= performance.now()
      if (performance.now() - firstSignalAt > sameSignalMs) endEarly('a second signal')
      // Load balancers need some seconds to notice that `/readyz` is not ready. Ctrl+C (SIGINT) skips the wait.
      else void stop({ signal, drainMs: signal === 'SIGTERM' ? settings.drainMs : 0 })
    })

  const setupLink = await settingUp
  if (isStopping) return
  if (work)
    followSupervisor({
      port: server.port,
      wake: (job) => app.context().wake[job](),
      runCanary: () => app.runCanary(),
      record: async (update) => (await import('./domain/health/record-update.ts')).recordUpdate(app.context(), update),
      onRecordError: (error) => log.error({ err: error }, 'the update could not be recorded'),
      // Under the launcher, another program takes over the socket, so no load balancer has to notice the stop.
      stop: () => void stop(work.fd === undefined ? { drainMs: settings.drainMs } : { lingerMs: replacedLingerMs }),
    })

  log.info(
    {
      url: localUrl,
      configuration: app.source(),
      database: settings.databaseUrl ? 'postgres' : 'sqlite',
      mail: app.context().mail.sends
        ? 'smtp'
        : `files under ${settings.dataDir}/mail: SMTP_URL is not set, so no email is sent`,
    },
    'listening',
  )
  if (process.stdout.isTTY) {
    process.stdout.write(`\n  Etalage: ${localUrl}\n`)
    if (setupLink) process.stdout.write(`  Make the first administrator: ${setupLink}\n`)
    process.stdout.write('\n')
  }
}

/** Reports the numbers of responses to the launcher, which undoes an update that fails. @returns counts one response */
function countResponses(): (isFault: boolean) => void {
  let counted = { answered: 0, failed: 0 }
  setInterval(() => {
    if (counted.answered > 0) report({ counted })
    counted = { answered: 0, failed: 0 }
  }, reportCountsEveryMs).unref()
  return (isFault) => {
    counted.answered++
    if (isFault) counted.failed++
  }
}

/** @returns logs that a connection is refused, at most once a minute */
function logRefusedConnections(log: Log): () => void {
  let quietUntil = 0
  return () => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + logRefusedEveryMs
    log.warn('connections are refused: there are as many as MAX_CONNECTIONS allows')
  }
}
