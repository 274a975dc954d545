import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono'
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
import { findMenuPages, hasMenuPageTag } from './domain/pages/menu-pages.ts'
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
import { createHasDnssec } from './platform/net/dnssec.ts'
import { createResolve } from './platform/net/resolver.ts'
import type { Poller } from './platform/poller.ts'
import { createStorage } from './platform/storage/create-storage.ts'
import { createTemporaryFiles } from './platform/storage/temporary-files.ts'
import { createTaskLimit } from './platform/task-limit.ts'
import { withTimeout } from './platform/with-timeout.ts'
import { contactAcceptedResponse, contactRefusedResponse } from './site/contact.ts'
import { formAcceptedResponse, formRefusedResponse } from './site/forms.ts'
import { createServedCheck, createSiteRoutes } from './site/routes.ts'
import { isSignInPage } from './site/sign-in/sign-in-paths.ts'
import { createSiteImages } from './site/site-images.ts'
import { errorPageResponse, loadUncachedProps } from './site/site-pages.ts'
import { uploadRoutes } from './site/uploads.ts'
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
  /** Renders the home pages and the sitemap into the cache, then the icons of the site. */
  warm(): Promise<void>
  /** Sends a test message through the contact form, without leaving a trace. */
  runCanary(): Promise<CanaryResult>
  /** From now on `/readyz` reports not ready; requests are still answered. */
  beginDraining(): void
  /** Stops the jobs and closes the database; call it when no request is running. */
  stop(): Promise<void>
}

interface AppOptions {
  settings: Settings
  log: Log
  now?: () => Date
  /** The folders of the built browser files and of the public files; the defaults fit the built program. */
  folders?: { client?: string; public?: string }
  /** Wakes a job in the process that runs the jobs. Without it, this process runs them. */
  wakeElsewhere?: (job: WakeableJob) => void
  /** Called for each response that is not from the page cache, with whether an unexpected error was its cause. */
  countResponse?: (isFault: boolean) => void
  /** Replaces the default worker, which starts a process for each image. */
  imageWorker?: ImageWorker
  /** Whether a separate process makes each backup and each test restore; true in the built program. */
  backupProcesses?: boolean
  /** The configuration of the server, for its child processes: they start with it instead of loading one, and seed no pages. */
  site?: SiteConfig
}

/** The current configuration, and the pages that its menus refer to. */
type LoadedSite = LoadedConfiguration & Pick<Context, 'menuPages'>

/** The launcher waits 20 seconds for a canary result, and the two probes of the database take up to four seconds together. */
const canaryTimeoutMs = 12_000

/** The API is two fifths of the code, so it is loaded at its first request: most visitors never need it. */
const apiPath = /^\/api(\/|$)/

/** Previews, and what belongs to the sign-in pages: loaded together, at the first request for one of them. */
const staffPath = /^\/(voorbeeld|login)\//

/** A copy of the site uses SQLite, local files and its own secret, and sends no emails. */
const settingsOfCopy = { databaseUrl: undefined, storageUrl: undefined, smtpUrl: undefined, secret: undefined }

/** Wires the program together: the only place that knows all its parts. */
export async function createApp(options: AppOptions): Promise<App> {
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
  const loadCurrentConfiguration = () =>
    loadConfiguration(db, { file: settings.siteConfig, publicDir: folders.public, cache })
  const findMailServer = () => findSmtpServer(db, { ...settings, secret })
  const openSite = async () => {
    await clock.measure()
    // Read before the content: see `invalidationVersion`.
    const loadedVersion = await invalidationVersion(db)
    const configuration = options.site ? { site: options.site, source: 'the server' } : await loadCurrentConfiguration()
    const { site } = configuration
    const fromFile = configuration.source === settings.siteConfig
    if (!options.site && (await hasPagesToSeed(db, site, { changed: fromFile }))) {
      const { seedPages } = await import('./domain/pages/seed-pages.ts')
      const transaction: Context['transaction'] = (work) => db.transaction().execute(work)
      await seedPages({ dialect, now, site, transaction }, { changed: fromFile })
    }
    const hidden = await listHiddenCollections(db, site)
    if (hidden.length > 0) log.warn({ hidden }, 'entries are hidden, because the configuration lacks their collections')
    // After the pages of the file are stored: its menu names them by their slugs.
    const loadedSite: LoadedSite = { ...configuration, ...(await findMenuPages(db, site)) }
    return { loadedVersion, loadedSite, mailServer: await findMailServer() }
  }
  const opened = await validating(settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', openSite).catch(async (error) => {
    clock.stop()
    await db.destroy()
    throw error
  })
  let loaded = opened.loadedSite
  const origin = () => settings.baseUrl ?? loaded.site.url
  const pageCache = new PageCache(settings.baseUrl && new URL(settings.baseUrl).host)
  let hasStarted = false
  let isStopping = false
  let warmingPages: Promise<void> | undefined
  let warmingPagesAndIcons: Promise<void> | undefined

  let { mailServer } = opened
  const transport = replaceableTransport(settings.dataDir, mailServer)
  const cdn = settings.cdn && createCdn(settings.cdn)
  let cdnPurger: CdnPurger | undefined
  const resolve = createResolve(settings.dnsServer)
  const hasDnssec = createHasDnssec(settings.dnsServer)
  let monitor: HealthMonitor | undefined
  const metrics = settings.metricsToken
    ? createMetrics({
        log,
        pageCacheHits: () => ({ 200: pageCache.hits[200], 304: pageCache.hits[304] }),
        emails: () => countEmails(db),
        health: () => monitor?.getLastResults() ?? [],
      })
    : undefined
  let jobs: Jobs | undefined
  let viewWriter: Poller | undefined

  const renderEmail: CanaryContext['renderEmail'] = async (...email) =>
    (await import('./domain/email-templates.ts')).renderEmail(loaded.site, ...email)
  const loadMonitor = lazy(async () => {
    const { createHealthMonitor } = await import('./domain/health/health.ts')
    const { countDeadLinks } = await import('./domain/links/list-links.ts')
    monitor = createHealthMonitor(() => {
      const current = context()
      return {
        ...current,
        hasDnssec,
        dataDir: settings.dataDir,
        quotaBytes: settings.uploads.quotaBytes,
        canary: () => ({ ...current, renderEmail, fetch: respond }),
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
    liveSite: () => ({ context, fetch: respond }),
    startSiteCopy: ({ dataDir, siteConfig }) =>
      createApp({ settings: { ...settings, ...settingsOfCopy, dataDir, siteConfig }, folders, log, now }),
  }

  const invalidations = watchInvalidations({
    db,
    log,
    since: opened.loadedVersion,
    reload: async (tags) => {
      if (tags === 'all' || tags.includes('site')) {
        const configuration = await loadCurrentConfiguration()
        loaded = { ...configuration, ...(await findMenuPages(db, configuration.site)) }
      } else if (hasMenuPageTag(tags, loaded.site)) {
        const menu = await findMenuPages(db, loaded.site)
        // Every page shows the menu: the added tag evicts all of them.
        if (!deepEqual([...menu.menuPages], [...loaded.menuPages])) tags.push('page')
        loaded = { ...loaded, ...menu }
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
  const stopNewYearTimer = onNewYear(
    () => loaded.site.locales.map((locale) => placeholdersOf(loaded.site, locale, now()).year).join(),
    () => {
      // The images for shared links may show the year too.
      pageCache.invalidate(['site'])
      cdnPurger?.add(['site'])
    },
  )

  const instances = authInstances({ db, secret, brand: () => loaded.site.brand, oidc: settings.oidc, log })

  const runSearch = createTaskLimit({ atOnce: limits.siteSearchesAtOnce, waiting: limits.siteSearchesWaiting })

  const wakeJob = (job: WakeableJob, poller: Poller | undefined) =>
    options.wakeElsewhere ? options.wakeElsewhere(job) : poller?.wake()

  /** @param reachedOrigin the origin by which the request reached the site; by default the canonical one */
  const context = (reachedOrigin = new URL(origin()).origin): Omit<Context, 'actor'> => ({
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
    requestOrigin: reachedOrigin,
    secret,
    rateLimited: settings.rateLimited,
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
    auth: () => instances.auth(reachedOrigin),
    provider: settings.oidc && {
      label: settings.oidc.label,
      auth: () => instances.withProvider(reachedOrigin),
    },
    wake: {
      email: () => wakeJob('email', jobs?.mail),
      image: () => wakeJob('image', jobs?.images),
      deletedRows: () => wakeJob('deletedRows', jobs?.deletedRows),
      backup: () => wakeJob('backup', jobs?.backups),
      invalidation: () => invalidations.runNow().catch(() => {}),
    },
  })

  const files = publicFiles(
    [
      { folder: join(folders.client, 'assets'), urlPrefix: '/assets', immutable: true },
      { folder: folders.public, urlPrefix: '', immutable: false },
    ],
    origin,
  )
  const images = createSiteImages({
    cacheDir: join(settings.dataDir, 'cache'),
    imageWorker: uploads.imageWorker,
    now,
    log,
  })

  const isServed = createServedCheck({ files, images })

  /** A problem details response for the API, else an error page, or a cached page while the database is unavailable. */
  const errorResponse = async (error: unknown, c: HonoContext<Env>): Promise<Response> => {
    const { ctx } = c.var
    const refusal = refusalOf(error)
    if (refusal.cause) (ctx?.log ?? log).error({ err: refusal.cause }, 'unexpected error')
    if (c.req.path.startsWith('/api/')) return problemResponse(refusal, c.var.locale ?? requestLocale(c.req.raw))
    const cached = refusal.code === 'unavailable' && pageCache.respondFromCache(c.req.raw)
    if (cached) return cached
    // Staff can sign in in more languages than the site has.
    const locales = isSignInPage(loaded.site, c.req.path) ? signInLanguages(loaded.site) : loaded.site
    const { locale, path } = splitLocale(c.req.path, locales)
    const site = { site: loaded.site, menuPages: loaded.menuPages, origin: origin() }
    const props =
      ctx && refusal.code !== 'unavailable'
        ? await loadUncachedProps({ ...ctx, ...site, now }, locale)
        : { ...site, now: now(), viewer: ctx?.actor }
    const page = errorPageResponse(props, locale, path, refusal.status, refusal.code)
    for (const [name, value] of Object.entries(refusalHeaders(refusal))) page.headers.set(name, value)
    return page
  }

  const addDefaultHeaders = createDefaultHeaders()

  /** An app without routes: the middleware of every request, and the error handler. */
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
    app.use(addDefaultHeaders, rejectInvalidUrl, rejectCrossSiteWrites, session)
    app.onError(errorResponse)
    return app
  }

  const siteRouter = createRouter()
  siteRouter.route(
    '/',
    healthRoutes({
      checkDependencies: () => checkDatabase(database),
      onUnhealthy: (reason) => log.warn({ err: reason }, 'not ready'),
      acceptsWork: () => hasStarted && !isStopping,
      metrics: async () => (metrics ? metrics.render() : { type: 'text/plain', text: '' }),
      metricsToken: settings.metricsToken,
    }),
  )
  siteRouter.route('/', uploadRoutes())
  const siteRoutes = createSiteRoutes({
    pageCache,
    files,
    images,
    currentConfiguration: () => ({ site: loaded.site, menuPages: loaded.menuPages, origin: origin() }),
    searches: settings.rateLimited
      ? createRateLimit({ maxAttempts: limits.siteSearchesPerAddress, windowMs: limits.siteSearchWindowMs, now })
      : undefined,
  })
  siteRouter.route('/', siteRoutes)

  const loadStaffRouter = lazy(async () => {
    const [{ signInRoutes }, { configurationPreviewRoutes }, { draftPreviewRoutes }] = await Promise.all([
      import('./site/sign-in/sign-in-routes.ts'),
      import('./site/configuration-preview.ts'),
      import('./site/draft-preview.ts'),
    ])
    return createRouter()
      .route('/', signInRoutes())
      .route('/', configurationPreviewRoutes())
      .route('/', draftPreviewRoutes(now))
      .route('/', siteRoutes)
  })

  /** Shared by the contact form, the other forms and the spam check. */
  const postLimit = settings.rateLimited
    ? createRateLimit({ maxAttempts: limits.contactAttemptsPerAddress, windowMs: limits.contactWindowMs, now })
    : undefined
  const loadApiRouter = lazy(async () => {
    const [{ createApiRoutes }, { spamCheckPassedResponse, spamQuestionResponse, spamCheckRefusedResponse }] =
      await Promise.all([import('./api/routes.ts'), import('./site/spam-check-pages.ts')])
    const api = createRouter()
    api.use(cancelBodyOfHead)
    if (settings.rateLimited) {
      api.use(
        limitWrites(createRateLimit({ maxAttempts: limits.writesPerPerson, windowMs: limits.writeWindowMs, now })),
      )
    }
    api.route(
      '/api',
      createApiRoutes({
        postLimit,
        pages: { accepted: contactAcceptedResponse, refused: contactRefusedResponse },
        checkPages: {
          question: spamQuestionResponse,
          passed: spamCheckPassedResponse,
          refused: spamCheckRefusedResponse,
        },
        formPages: { accepted: formAcceptedResponse, refused: formRefusedResponse },
        isServed,
        monitor: await loadMonitor(),
      }),
    )
    api.all('/api/*', () => {
      throw new Refusal('not_found')
    })
    return api
  })
  /** Every request gets the error response of this error: the code of the routes could not be loaded. */
  const createFailingRouter = (error: unknown) =>
    createRouter().all('*', () => {
      throw error
    })
  const respond: App['fetch'] = async (request, env) => {
    const path = getPath(request)
    const isStaff = staffPath.test(path) || isSignInPage(loaded.site, path)
    const loadRouter = apiPath.test(path) ? loadApiRouter : isStaff && loadStaffRouter
    return (loadRouter ? await loadRouter().catch(createFailingRouter) : siteRouter).fetch(request, env)
  }

  const sendTestMessage = async (): Promise<CanaryResult> => {
    const { findCanaryProblem } = await import('./domain/health/canary.ts')
    const { problem, isUnavailable } = await findCanaryProblem({ ...context(), renderEmail, fetch: respond })
    if (problem) return { problem }
    return isUnavailable ? { database: 'refused' } : {}
  }

  const startJobsOnce = lazy(async () => {
    viewWriter ??= startViewWriter({ context, log, views: pageCache.views })
    await warmingPages?.catch(() => {})
    if (!options.wakeElsewhere) {
      const [{ startJobs }, healthMonitor] = await Promise.all([import('./jobs/start-jobs.ts'), loadMonitor()])
      if (isStopping) return
      cdnPurger = cdn && startCdnPurger({ cdn, log, now })
      jobs = startJobs({
        ...{ context, transport: transport.current, monitor: healthMonitor },
        backupProcesses: options.backupProcesses ?? false,
        countEvent: (name) => metrics?.countEvent(name),
      })
    }
    hasStarted = true
  })

  return {
    serveCached: (request, response) => pageCache.serveCached(request, response),
    fetch: respond,
    routes: async () => [...siteRouter.routes, ...(await loadStaffRouter()).routes, ...(await loadApiRouter()).routes],
    context,
    source: () => loaded.source,
    startJobs: startJobsOnce,
    warm() {
      warmingPages ??= (async () => {
        // Changes of this start, such as seeded pages, would evict what is rendered before they are read.
        await invalidations.runNow()
        const { site } = loaded
        const prefixedLocales = site.locales.filter((locale) => locale !== rootLocaleOf(site))
        const homePaths = prefixedLocales.map((locale) => localizedPath('/', locale, site))
        for (const path of ['/', '/sitemap.xml', ...homePaths]) {
          if (!isStopping) await respond(new Request(`http://localhost${path}`))
        }
      })()
      warmingPagesAndIcons ??= warmingPages.then(() => (isStopping ? undefined : images.warm(context())))
      return warmingPagesAndIcons
    },
    async runCanary() {
      const isUnavailable = () => probeIsUnavailable(settings, database)
      const unavailable: CanaryResult = { database: 'away' }
      if (await isUnavailable()) return unavailable
      const result = await withTimeout(sendTestMessage(), canaryTimeoutMs).catch(
        (error): CanaryResult =>
          isDatabaseUnavailable(error) ? { database: 'refused' } : { problem: reasonOf(error) },
      )
      // If the database became unavailable meanwhile, the failure says nothing about this version.
      return (result.problem || result.database) && (await isUnavailable()) ? unavailable : result
    },
    beginDraining() {
      isStopping = true
    },
    async stop() {
      isStopping = true
      stopNewYearTimer()
      clock.stop()
      await invalidations.stop()
      await startJobsOnce.ifCreated()
      await Promise.all([...Object.values(jobs ?? {}), viewWriter, cdnPurger].map((job) => job?.stop()))
      await warmingPagesAndIcons?.catch(() => {})
      uploads.imageWorker.stop()
      await storage.close()
      await transport.current().close()
      await db.destroy()
    },
  }
}

/** Adds the security headers, and `Cache-Control` for the API, where a response has none of its own. */
function createDefaultHeaders(): MiddlewareHandler<Env> {
  /** The headers of the last origin, which only changes with the configuration. */
  let last = { origin: '', headers: [] as ReturnType<typeof securityHeaders> }
  return async (c, next) => {
    await next()
    const { headers, status } = c.res
    // Pages set a policy of their own. On a 304 this one would replace it in the client's cache.
    if (status !== 304 && !headers.has('Content-Security-Policy')) {
      const { origin } = c.var.ctx
      if (last.origin !== origin) last = { origin, headers: securityHeaders(origin) }
      for (const [name, value] of last.headers) headers.set(name, value)
    }
    // API responses are not cacheable unless they say so.
    if (c.req.path.startsWith('/api/') && !headers.has('Cache-Control')) {
      headers.set('Cache-Control', 'private, no-store')
    }
  }
}

/** Calls back when the year changes: every page shows it, so the cache is outdated then. @returns stops the timer */
function onNewYear(year: () => string, callback: () => void): () => void {
  let lastYear = year()
  const timer = setInterval(() => {
    if (year() === lastYear) return
    lastYear = year()
    callback()
  }, 30_000)
  timer.unref()
  return () => clearInterval(timer)
}
