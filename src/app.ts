import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { deepEqual } from './contract/deep-equal.ts'
import { Refusal, refusals } from './contract/errors.ts'
import { limits } from './contract/limits.ts'
import { localizedPath, rootLocaleOf, signInLanguages, splitLocale } from './contract/locales.ts'
import { placeholdersOf } from './contract/placeholders.ts'
import type { SiteConfig } from './contract/site-config.ts'
import { type LoadedConfiguration, loadConfiguration } from './domain/configuration/load-configuration.ts'
import type { CanaryContext } from './domain/health/check.ts'
import type { HealthMonitor } from './domain/health/health.ts'
import { listHiddenCollections } from './domain/pages/entries.ts'
import { findMenuPages, showsOneOf } from './domain/pages/menu-pages.ts'
import { hasPagesToSeed } from './domain/pages/pages-to-seed.ts'
import type { Env } from './http/api.ts'
import { healthRoutes } from './http/health.ts'
import { PageCache } from './http/page-cache.ts'
import { problemResponse, refusalHeaders, refusalOf } from './http/problem.ts'
import { publicFiles } from './http/public-files.ts'
import { createRateLimit, limitWrites } from './http/rate-limit.ts'
import { requestLocale } from './http/request-locale.ts'
import {
  cancelBodyOfHead,
  rejectCrossSiteWrites,
  rejectInvalidUrl,
  requestContext,
  requestOrigin,
} from './http/request-middleware.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { reasonOf } from './i18n/reason.ts'
import { type CdnPurger, startCdnPurger } from './jobs/purge-cdn.ts'
import type { Jobs } from './jobs/start-jobs.ts'
import { startViewWriter } from './jobs/store-views.ts'
import { createBackupParts } from './platform/archive/backup-parts.ts'
import { authInstances } from './platform/auth/instances.ts'
import { invalidationVersion, watchInvalidations } from './platform/cache-invalidation.ts'
import { configurationCache } from './platform/config/configuration-cache.ts'
import { refuseWhileRestoring } from './platform/config/restoring.ts'
import { loadSecret } from './platform/config/secret.ts'
import type { Settings } from './platform/config/settings.ts'
import { publicFolderOf } from './platform/config/site-file.ts'
import { validating } from './platform/config/unusable-settings.ts'
import type { Context, WakeableJob } from './platform/context.ts'
import { checkDatabase, isDatabaseUnavailable, openDatabase, probeIsUnavailable } from './platform/db/database.ts'
import { databaseClock } from './platform/db/database-clock.ts'
import { createImageWorker, type ImageWorker } from './platform/images/image-worker.ts'
import { readPublicImages } from './platform/images/public-images.ts'
import { lazy } from './platform/lazy.ts'
import type { Log } from './platform/log/log.ts'
import { createMetrics } from './platform/log/metrics.ts'
import { findSmtpServer, mailServerTag } from './platform/mail/mail-settings.ts'
import { countEmails } from './platform/mail/outbox.ts'
import { findExistingEmails } from './platform/mail/outbox-emails.ts'
import { replaceableTransport } from './platform/mail/transport.ts'
import { createCdn } from './platform/net/cdn.ts'
import { createIsProtected } from './platform/net/dnssec.ts'
import { createResolve } from './platform/net/resolver.ts'
import type { Poller } from './platform/poller.ts'
import { createStorage } from './platform/storage/create-storage.ts'
import { createTemporaryFiles } from './platform/storage/temporary-files.ts'
import { createTaskLimit } from './platform/task-limit.ts'
import { withTimeout } from './platform/with-timeout.ts'
import { contactAcceptedPage, contactRefusedPage } from './site/contact.ts'
import { uploadRoutes } from './site/files.ts'
import { formAcceptedPage, formRefusedPage } from './site/forms.ts'
import { createServedCheck, createSiteRoutes } from './site/routes.ts'
import { isSignInPage } from './site/sign-in/sign-in-paths.ts'
import { createSiteImages } from './site/site-images.ts'
import { errorPage, uncachedProps } from './site/site-pages.ts'
import type { CanaryResult } from './workers.ts'

export interface App {
  /** Responds to a request from the page cache. False: it is not cached, and `fetch` must respond. */
  serveCached(request: IncomingMessage, response: ServerResponse): boolean
  fetch(request: Request, env?: object): Promise<Response>
  /** Every route with its method; for the access tests. */
  routes(): Promise<Hono<Env>['routes']>
  context: () => Omit<Context, 'actor'>
  /** Where the current configuration came from. */
  source: () => string
  /**
   * Starts the background jobs, after the home pages that `warm` renders; then `/readyz` can report ready. Call it when the
   * server listens.
   */
  startJobs(): Promise<void>
  /** Renders the home pages into the cache, then the icons of the site. */
  warm(): Promise<void>
  /** Sends a test message through the contact form, without leaving a trace. */
  runCanary(): Promise<CanaryResult>
  /** From now on `/readyz` reports not ready; requests are still answered. */
  beginDraining(): void
  /** Stops the jobs and closes the database; call it when no request is running. */
  stop(): Promise<void>
}

/** The launcher waits 20 seconds for the outcome, and connecting to the database twice takes up to four. */
const formWithinMs = 12_000

/** Two fifths of the program; loaded at its first request, because most visitors never need it. */
const apiPath = /^\/api(\/|$)/

/** Previews, and what belongs to the sign-in pages: loaded together, at the first request for one of them. */
const staffPath = /^\/(voorbeeld|login)\//

/** Wires the program together: the only place that knows all its parts. */
export async function createApp(options: {
  settings: Settings
  log: Log
  now?: () => Date
  /** Where the built browser files and the public files are, if elsewhere. */
  folders?: { client?: string; public?: string }
  /** Where the jobs run in another process: called when one of them has work. This process then starts only its own. */
  wakeElsewhere?: (job: WakeableJob) => void
  /** Called for each response that is not from the page cache, with whether an unexpected error was its cause. */
  countResponse?: (isFault: boolean) => void
  /** Instead of one that starts a process for each image. */
  imageWorker?: ImageWorker
  /** True in the built program: each backup and each proof is made by a process of its own. */
  backupProcesses?: boolean
  /** The configuration that the server has, for a process that does a task of it: nothing is read from the file, or seeded. */
  site?: SiteConfig
}): Promise<App> {
  const { settings, log } = options
  refuseWhileRestoring(settings.dataDir)
  const secret = await validating('DATA_DIR', () => loadSecret(settings.dataDir, settings.secret))
  const database = await openDatabase(settings)
  const { db, dialect } = database
  const clock = databaseClock(database)
  const now = options.now ?? clock.now

  const folders = { client: 'dist/client', public: publicFolderOf(settings.siteConfig), ...options.folders }
  const publicImages = readPublicImages(folders.public)
  const cache = configurationCache<SiteConfig>(join(settings.dataDir, 'cache', 'configuration.json'))
  const load = () => loadConfiguration(db, { file: settings.siteConfig, publicDir: folders.public, cache })
  const begin = async () => {
    await clock.measure()
    const since = await invalidationVersion(db)
    const first = options.site ? { site: options.site, source: 'the server' } : await load()
    const changed = first.source === settings.siteConfig
    if (!options.site && (await hasPagesToSeed(db, first.site, { changed }))) {
      const { seedPages } = await import('./domain/pages/seed-pages.ts')
      const transaction: Context['transaction'] = (work) => db.transaction().execute(work)
      await seedPages({ dialect, now, site: first.site, transaction }, { changed })
    }
    const hidden = await listHiddenCollections(db, first.site)
    if (hidden.length > 0) log.warn({ hidden }, 'entries are hidden, because the configuration lacks their collections')
    // After the pages of the file are stored: its menu names them by their slugs.
    return { since, first: { ...first, ...(await findMenuPages(db, first.site)) } }
  }
  const { since, first } = await validating(settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', begin).catch(
    async (error) => {
      clock.stop()
      await db.destroy()
      throw error
    },
  )
  let loaded: LoadedConfiguration & Pick<Context, 'menuPages'> = first
  const origin = () => settings.baseUrl ?? loaded.site.url
  const pageCache = new PageCache(settings.baseUrl && new URL(settings.baseUrl).host)
  let started = false
  let warmingPages: Promise<void> | undefined
  let warming: Promise<void> | undefined
  let stopping = false

  const findMailServer = () => findSmtpServer(db, { ...settings, secret })
  let mailServer = await findMailServer()
  const transport = replaceableTransport(settings.dataDir, mailServer)
  const cdn = settings.cdn && createCdn(settings.cdn)
  let cdnPurger: CdnPurger | undefined
  const resolve = createResolve(settings.dnsServer)
  const isProtected = createIsProtected(settings.dnsServer)
  const metrics = settings.metricsToken
    ? createMetrics({
        log,
        pageCacheHits: () => ({ 200: pageCache.hits[200], 304: pageCache.hits[304] }),
        emails: () => countEmails(db),
        health: () => monitor?.last() ?? [],
      })
    : undefined
  let jobs: Jobs | undefined
  let views: Poller | undefined

  const renderEmail: CanaryContext['renderEmail'] = async (...email) =>
    (await import('./domain/email-templates.ts')).renderEmail(loaded.site, ...email)
  let monitor: HealthMonitor | undefined
  const loadMonitor = lazy(async () => {
    const { createHealthMonitor } = await import('./domain/health/health.ts')
    const { countDeadLinks } = await import('./domain/links/list-links.ts')
    monitor = createHealthMonitor(() => {
      const current = context()
      return {
        ...current,
        isProtected,
        dataDir: settings.dataDir,
        quotaBytes: settings.uploads.quotaBytes,
        canary: () => ({ ...current, renderEmail, fetch: answer }),
        // Only the process that runs the jobs purges.
        ...(cdnPurger && { cdnFailingSince: cdnPurger.failingSince }),
        countDeadLinks: () => countDeadLinks(current, (path) => isServed({ ...current, actor: undefined }, path)),
      }
    })
    return monitor
  })

  const storage = createStorage(settings)
  const uploads: Context['uploads'] = {
    storage,
    temporaryFiles: createTemporaryFiles(join(settings.dataDir, 'arriving')),
    imageWorker: options.imageWorker ?? createImageWorker(),
    ...settings.uploads,
  }

  const backupParts = createBackupParts(settings)
  const backups: Context['backups'] = {
    ...backupParts,
    // The file may have been edited since it was loaded.
    configuration: () => loaded.fileText ?? backupParts.configuration(),
    live: () => ({ context, fetch: answer }),
    openCopy: ({ dataDir, siteConfig }) =>
      createApp({
        settings: {
          ...{ ...settings, dataDir, siteConfig },
          ...{ databaseUrl: undefined, storageUrl: undefined, smtpUrl: undefined, secret: undefined },
        },
        folders,
        log,
        now,
      }),
  }

  const watch = watchInvalidations({
    db,
    log,
    since,
    reload: async (tags) => {
      if (tags === 'all' || tags.includes('site')) {
        const found = await load()
        loaded = { ...found, ...(await findMenuPages(db, found.site)) }
      } else if (showsOneOf(tags, loaded.site)) {
        const now = await findMenuPages(db, loaded.site)
        // Every page shows the menu.
        if (!deepEqual([...now.menuPages], [...loaded.menuPages])) tags.push('page')
        loaded = { ...loaded, ...now }
      }
      if (tags === 'all' || tags.includes(mailServerTag)) {
        mailServer = await findMailServer()
        await transport.replace(mailServer)
        jobs?.mail?.wake()
      }
      if (tags === 'all' || tags.includes('mailbox')) jobs?.mailbox?.wake()
    },
    evict: (tags) => {
      pageCache.invalidate(tags)
      jobs?.search?.wake()
      cdnPurger?.add(tags)
    },
  })
  const calendar = onNewYear(
    () => loaded.site.locales.map((locale) => placeholdersOf(loaded.site, locale, now()).year).join(),
    () => {
      // The images for shared links may show the year too.
      pageCache.invalidate(['site'])
      cdnPurger?.add(['site'])
    },
  )

  const instances = authInstances({ db, secret, brand: () => loaded.site.brand, oidc: settings.oidc, log })

  const runSearch = createTaskLimit({ atOnce: limits.siteSearchesAtOnce, waiting: limits.siteSearchesWaiting })

  const context = (reached = new URL(origin()).origin): Omit<Context, 'actor'> => ({
    now,
    db,
    dialect,
    transaction: (work) => db.transaction().execute(work),
    uploads,
    backups,
    site: loaded.site,
    menuPages: loaded.menuPages,
    publicDir: folders.public,
    publicImages,
    origin: origin(),
    requestOrigin: reached,
    secret,
    contactLimited: settings.contactLimited,
    runSearch,
    mail: {
      sends: mailServer !== undefined,
      server: mailServer,
      fromEnvironment: settings.smtpUrl !== undefined,
      resolve,
      deleteOrphanedFiles: () => transport.current().deleteOrphanedFiles((ids) => findExistingEmails(db, ids)),
    },
    cdn,
    log,
    auth: () => instances.auth(reached),
    provider: settings.oidc && {
      label: settings.oidc.label,
      auth: () => instances.withProvider(reached),
    },
    wake: {
      email: () => (options.wakeElsewhere ? options.wakeElsewhere('email') : jobs?.mail?.wake()),
      image: () => (options.wakeElsewhere ? options.wakeElsewhere('image') : jobs?.images?.wake()),
      deletedRows: () => (options.wakeElsewhere ? options.wakeElsewhere('deletedRows') : jobs?.deletedRows?.wake()),
      backup: () => (options.wakeElsewhere ? options.wakeElsewhere('backup') : jobs?.backups?.wake()),
      invalidation: () => watch.runNow().catch(() => {}),
    },
  })

  const files = publicFiles(
    [
      { folder: join(folders.client, 'assets'), at: '/assets', forever: true },
      { folder: folders.public, at: '', forever: false },
    ],
    origin(),
  )
  const images = createSiteImages({
    cacheDir: join(settings.dataDir, 'cache'),
    imageWorker: uploads.imageWorker,
    now,
    log,
  })

  const isServed = createServedCheck({ files, images })

  /** The security headers of everything but pages; the origin only changes with the configuration. */
  let defaultHeaders = { origin: origin(), headers: securityHeaders(origin()) }
  const securityHeadersFor = (at: string) => {
    if (defaultHeaders.origin !== at) defaultHeaders = { origin: at, headers: securityHeaders(at) }
    return defaultHeaders.headers
  }

  /** The middleware of every request, and the error handler. */
  const createRouter = () => {
    const app = new Hono<Env>()
    app.use(
      requestContext({
        context: (request) =>
          context(
            requestOrigin(request, {
              baseUrl: settings.baseUrl,
              siteUrl: loaded.site.url,
              proxied: settings.trustProxy > 0,
            }),
          ),
        trustProxy: settings.trustProxy,
        observeRequest: (method, status, seconds) => {
          metrics?.observeRequest(method, status, seconds)
          // A refusal, such as 503 while many sign in, is no fault of the program.
          options.countResponse?.(status === refusals.unexpected)
        },
      }),
    )
    app.use(async (c, next) => {
      await next()
      const { headers, status } = c.res
      // Pages set a policy of their own. On a 304 this one would replace it in the client's cache.
      if (status !== 304 && !headers.has('Content-Security-Policy')) {
        for (const [name, value] of securityHeadersFor(c.var.ctx.origin)) headers.set(name, value)
      }
      // API responses are not cacheable unless they say so.
      if (c.req.path.startsWith('/api/') && !headers.has('Cache-Control')) {
        headers.set('Cache-Control', 'private, no-store')
      }
    })
    app.use(rejectInvalidUrl, rejectCrossSiteWrites, session)
    app.onError(async (error, c) => {
      const refusal = refusalOf(error)
      if (refusal.cause) (c.var.ctx?.log ?? log).error({ err: refusal.cause }, 'unexpected error')
      if (c.req.path.startsWith('/api/')) return problemResponse(refusal, c.var.locale ?? requestLocale(c.req.raw))
      const cached = refusal.code === 'unavailable' && pageCache.respondFromCache(c.req.raw)
      if (cached) return cached
      // Staff sign in in their own languages, also where the site has others.
      const isSignIn = isSignInPage(loaded.site, c.req.path)
      const { locale, path } = splitLocale(c.req.path, isSignIn ? signInLanguages(loaded.site) : loaded.site)
      const props = { site: loaded.site, menuPages: loaded.menuPages, origin: origin(), now: now() }
      const withoutDatabase = { ...props, viewer: c.var.ctx?.actor }
      const page = errorPage(
        c.var.ctx && refusal.code !== 'unavailable'
          ? await uncachedProps({ ...c.var.ctx, ...props, now }, locale)
          : withoutDatabase,
        locale,
        path,
        refusal.status,
        refusal.code,
      )
      for (const [name, value] of Object.entries(refusalHeaders(refusal))) page.headers.set(name, value)
      return page
    })
    return app
  }

  const pages = createRouter()
  pages.route(
    '/',
    healthRoutes({
      check: () => checkDatabase(database),
      onUnhealthy: (reason) => log.warn({ err: reason }, 'not ready'),
      acceptsWork: () => started && !stopping,
      metrics: async () => (metrics ? metrics.render() : { type: 'text/plain', text: '' }),
      metricsToken: settings.metricsToken,
    }),
  )
  pages.route('/', uploadRoutes())
  const siteRoutes = createSiteRoutes({
    pageCache,
    files,
    images,
    currentConfiguration: () => ({ site: loaded.site, menuPages: loaded.menuPages, origin: origin() }),
    searches: settings.contactLimited
      ? createRateLimit({ maxAttempts: limits.siteSearchesPerAddress, windowMs: limits.siteSearchWindowMs, now })
      : undefined,
  })
  pages.route('/', siteRoutes)

  const underStaff = lazy(async () => {
    const [{ signInRoutes }, { configurationPreviewRoutes }, { pagePreviewRoutes }] = await Promise.all([
      import('./site/sign-in/sign-in-routes.ts'),
      import('./site/configuration-preview.ts'),
      import('./site/draft-preview.ts'),
    ])
    return createRouter()
      .route('/', signInRoutes())
      .route('/', configurationPreviewRoutes())
      .route('/', pagePreviewRoutes(now))
      .route('/', siteRoutes)
  })

  const attempts = settings.contactLimited
    ? createRateLimit({ maxAttempts: limits.contactAttemptsPerAddress, windowMs: limits.contactWindowMs, now })
    : undefined
  const underApi = lazy(async () => {
    const [{ createApiRoutes }, { spamCheckPassedPage, spamQuestionPage, spamCheckRefusedPage }] = await Promise.all([
      import('./api/routes.ts'),
      import('./site/spam-check-pages.ts'),
    ])
    const api = createRouter()
    api.use(cancelBodyOfHead)
    if (settings.contactLimited) {
      api.use(
        limitWrites(createRateLimit({ maxAttempts: limits.writesPerPerson, windowMs: limits.writeWindowMs, now })),
      )
    }
    api.route(
      '/api',
      createApiRoutes({
        attempts,
        pages: { accepted: contactAcceptedPage, refused: contactRefusedPage },
        checkPages: { question: spamQuestionPage, passed: spamCheckPassedPage, refused: spamCheckRefusedPage },
        formPages: { accepted: formAcceptedPage, refused: formRefusedPage },
        isServed,
        monitor: await loadMonitor(),
      }),
    )
    api.all('/api/*', () => {
      throw new Refusal('not_found')
    })
    return api
  })
  const broken = (error: unknown) =>
    createRouter().all('*', () => {
      throw error
    })
  const answer: App['fetch'] = async (request, env) => {
    const path = getPath(request)
    const isStaff = staffPath.test(path) || isSignInPage(loaded.site, path)
    const part = apiPath.test(path) ? underApi : isStaff && underStaff
    return (part ? await part().catch(broken) : pages).fetch(request, env)
  }

  const runCanary = async (): Promise<CanaryResult> => {
    const { findCanaryProblem } = await import('./domain/health/canary.ts')
    const { problem, isUnavailable } = await findCanaryProblem({ ...context(), renderEmail, fetch: answer })
    return { ...(problem && { problem }), ...(!problem && isUnavailable && { database: 'refused' as const }) }
  }

  const startAllJobs = lazy(async () => {
    views ??= startViewWriter({ context, log, views: pageCache.views })
    await warmingPages?.catch(() => {})
    if (!options.wakeElsewhere) {
      const [{ startJobs }, monitor] = await Promise.all([import('./jobs/start-jobs.ts'), loadMonitor()])
      if (stopping) return
      cdnPurger = cdn && startCdnPurger({ cdn, log, now })
      jobs = startJobs({
        ...{ context, transport: transport.current, monitor },
        backupProcesses: options.backupProcesses ?? false,
        countEvent: (name) => metrics?.countEvent(name),
      })
    }
    started = true
  })

  return {
    serveCached: (request, response) => pageCache.serveCached(request, response),
    fetch: answer,
    routes: async () => [...pages.routes, ...(await underStaff()).routes, ...(await underApi()).routes],
    context,
    source: () => loaded.source,
    startJobs: startAllJobs,
    warm() {
      warmingPages ??= (async () => {
        // Changes of this start, such as seeded pages, would evict what is rendered before they are read.
        await watch.runNow()
        for (const path of [
          '/',
          '/sitemap.xml',
          ...loaded.site.locales
            .filter((one) => one !== rootLocaleOf(loaded.site))
            .map((one) => localizedPath('/', one, loaded.site)),
        ]) {
          if (!stopping) await answer(new Request(`http://localhost${path}`))
        }
      })()
      warming ??= warmingPages.then(() => (stopping ? undefined : images.warm(context())))
      return warming
    },
    async runCanary() {
      const isAway = () => probeIsUnavailable(settings, database)
      const away: CanaryResult = { database: 'away' }
      if (await isAway()) return away
      const tried = await withTimeout(runCanary(), formWithinMs).catch(
        (error): CanaryResult =>
          isDatabaseUnavailable(error) ? { database: 'refused' } : { problem: reasonOf(error) },
      )
      // It may have gone meanwhile: then the form says nothing about this version.
      return (tried.problem || tried.database) && (await isAway()) ? away : tried
    },
    beginDraining() {
      stopping = true
    },
    async stop() {
      stopping = true
      calendar()
      clock.stop()
      await watch.stop()
      await startAllJobs.made()
      await Promise.all([...Object.values(jobs ?? {}), views, cdnPurger].map((job) => job?.stop()))
      await warming?.catch(() => {})
      uploads.imageWorker.stop()
      await storage.close()
      await transport.current().close()
      await db.destroy()
    },
  }
}

/** Every page shows the year, so a new year must invalidate the cache without a change of content. @returns stops the timer */
function onNewYear(year: () => string, callback: () => void): () => void {
  let known = year()
  const timer = setInterval(() => {
    if (year() === known) return
    known = year()
    callback()
  }, 30_000)
  timer.unref()
  return () => clearInterval(timer)
}
