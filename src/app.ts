import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { Refusal } from './contract/errors.ts'
import { placeholdersOf } from './contract/fill-text.ts'
import { limits } from './contract/limits.ts'
import { defaultLocale, locales, splitLocale } from './contract/locales.ts'
import { loadConfiguration } from './domain/configuration/load-configuration.ts'
import { fillLetter } from './domain/letters.ts'
import { seedPages } from './domain/pages/seed-pages.ts'
import { createAddressLimit } from './http/address-limits.ts'
import type { Env } from './http/api.ts'
import { createHealth } from './http/health.ts'
import { KeptAnswers } from './http/kept-answers.ts'
import { problemResponse, refusalHeaders, refusalOf } from './http/problem.ts'
import { publicFiles } from './http/public-files.ts'
import { reachedAt } from './http/reached-at.ts'
import { requestLocale } from './http/request-locale.ts'
import { readableAddress, requests, sameSite } from './http/requests.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { startViewKeeper, type ViewKeeper } from './jobs/keep-views.ts'
import { type PictureWorker, startPictureWorker } from './jobs/make-pictures.ts'
import { type PagePublisher, startPagePublisher } from './jobs/publish-pages.ts'
import { startPurge } from './jobs/purge.ts'
import { type MailWorker, startMailWorker } from './jobs/send-mail.ts'
import { authInstances } from './platform/auth/instances.ts'
import { keepSecret } from './platform/config/secret.ts'
import type { Settings } from './platform/config/settings.ts'
import { restingOn } from './platform/config/unusable.ts'
import { contentVersion, watchContent } from './platform/content-clock.ts'
import type { Context } from './platform/context.ts'
import { checkDatabase, openDatabase } from './platform/db/database.ts'
import type { Log } from './platform/log/log.ts'
import { createMetrics } from './platform/log/metrics.ts'
import { countLetters } from './platform/mail/outbox.ts'
import { createTransport } from './platform/mail/transport.ts'
import { createWorkshop } from './platform/pictures/workshop.ts'
import { arrivalsIn } from './platform/storage/arriving.ts'
import { createStorage } from './platform/storage/create-storage.ts'
import { configurationPreview } from './site/configuration-preview.ts'
import { contactForm } from './site/contact.ts'
import { uploadedFiles } from './site/files.ts'
import { pagePreviews } from './site/page-preview.ts'
import { createSite } from './site/routes.ts'
import { signInPages } from './site/sign-in/routes.ts'
import { siteImages } from './site/site-images.ts'
import { errorPage } from './site/site-pages.ts'

export interface App {
  /** Answers a request that came through Node: from memory where it can, else through the layers. False: not answered. */
  give(request: IncomingMessage, response: ServerResponse): boolean
  fetch(request: Request, env?: object): Promise<Response>
  /** Every address that is answered, with its method; for who counts the doors. */
  routes(): Promise<Hono<Env>['routes']>
  context: () => Omit<Context, 'actor'>
  /** Where the configuration in force came from. */
  source: () => string
  /** Begins to send letters and to remove what is old: not before the program listens, for one that cannot listen ends at once. */
  work(): void
  /** Makes what the first visitors ask for. */
  warm(): Promise<void>
  /** Begins to answer that it is not ready; the server stops taking requests next. */
  retire(): void
  /** Ends the work in the background and closes the database; call it when no request is left. */
  stop(): Promise<void>
}

/** Two fifths of the program: it is loaded when somebody first asks for it, for visitors read without. */
const apiPath = /^\/api(\/|$)/

/** Wires the program together: the only place that knows all its parts. */
export async function createApp(parts: {
  settings: Settings
  log: Log
  now?: () => Date
  /** Where the built browser files and the files under `public` are. */
  folders?: { client: string; public: string }
}): Promise<App> {
  const { settings, log } = parts
  const now = parts.now ?? (() => new Date())
  const secret = await restingOn('DATA_DIR', () => keepSecret(settings.dataDir, settings.secret))
  const { db, dialect } = await openDatabase(settings)

  const folders = parts.folders ?? { client: 'dist/client', public: 'public' }
  const load = () => loadConfiguration(db, { file: settings.siteConfig, publicDir: folders.public })
  const begin = async () => {
    const since = await contentVersion(db)
    const first = await load()
    const changed = first.source === settings.siteConfig
    await seedPages(
      { db, dialect, now, transaction: (work) => db.transaction().execute(work) },
      { pages: first.site.pages, changed },
    )
    return { since, first }
  }
  const { since, first } = await begin().catch(async (error) => {
    await db.destroy()
    throw error
  })
  let loaded = first
  const origin = () => settings.baseUrl ?? loaded.site.url
  const kept = new KeptAnswers()
  let stopping = false

  const transport = createTransport({ smtpUrl: settings.smtpUrl, dataDir: settings.dataDir })
  const metrics = settings.metricsToken
    ? createMetrics({
        given: () => ({ 200: kept.given[200], 304: kept.given[304] }),
        letters: () => countLetters(db),
      })
    : undefined
  let worker: MailWorker | undefined
  let pictures: PictureWorker | undefined
  let views: ViewKeeper | undefined
  let publisher: PagePublisher | undefined
  let purge: ReturnType<typeof startPurge> | undefined

  const storage = createStorage(settings)
  const uploads: Context['uploads'] = {
    storage,
    arrivals: arrivalsIn(join(settings.dataDir, 'arriving')),
    workshop: createWorkshop(),
    ...settings.uploads,
  }

  const watch = watchContent({
    db,
    log,
    since,
    changed: async (tags) => {
      if (tags === 'all' || tags.includes('site')) loaded = await load()
      kept.drop(tags)
    },
  })
  const calendar = watchCalendar(
    () => locales.map((locale) => placeholdersOf(loaded.site, locale, now()).year).join(),
    () => kept.drop(['page']),
  )

  const instances = authInstances({ db, secret, brand: () => loaded.site.brand, oidc: settings.oidc, log })

  const context = (reached = new URL(origin()).origin): Omit<Context, 'actor'> => ({
    now,
    db,
    dialect,
    transaction: (work) => db.transaction().execute(work),
    uploads,
    site: loaded.site,
    publicDir: folders.public,
    origin: origin(),
    reached,
    secret,
    contactLimited: settings.contactLimited,
    log,
    auth: () => instances.auth(reached),
    provider: settings.oidc && {
      label: settings.oidc.label,
      auth: () => instances.withProvider(reached),
    },
    signal: {
      letter: () => worker?.wake(),
      picture: () => pictures?.wake(),
      content: () => void watch.look().catch(() => {}),
    },
  })

  const files = publicFiles(
    [
      { folder: join(folders.client, 'assets'), at: '/assets', forever: true },
      { folder: folders.public, at: '', forever: false },
    ],
    origin(),
  )
  const images = siteImages({ cacheDir: join(settings.dataDir, 'cache'), log })

  /** What every request goes through first, and what becomes of an error. */
  const layers = () => {
    const app = new Hono<Env>()
    app.use(
      requests({
        context: (request) =>
          context(
            reachedAt(request, {
              baseUrl: settings.baseUrl,
              siteUrl: loaded.site.url,
              proxied: settings.trustProxy > 0,
            }),
          ),
        trustProxy: settings.trustProxy,
        measured: (method, status, seconds) => metrics?.request(method, status, seconds),
      }),
    )
    app.use(async (c, next) => {
      await next()
      // A page has a policy of its own, and a 304 would put this one over it.
      if (c.res.status !== 304 && !c.res.headers.has('Content-Security-Policy')) {
        for (const [name, value] of securityHeaders(c.var.ctx.origin)) c.header(name, value)
      }
      // What says nothing of keeping it is kept by nobody.
      if (c.req.path.startsWith('/api/') && !c.res.headers.has('Cache-Control')) {
        c.header('Cache-Control', 'private, no-store')
      }
    })
    app.use(readableAddress, sameSite, session)
    app.onError((error, c) => {
      const refusal = refusalOf(error)
      if (refusal.cause) (c.var.ctx?.log ?? log).error({ err: refusal.cause }, 'unexpected error')
      if (c.req.path.startsWith('/api/')) return problemResponse(refusal, c.var.locale ?? requestLocale(c.req.raw))
      const { locale, path } = splitLocale(c.req.path)
      const page = errorPage(
        { site: loaded.site, origin: origin(), now: now(), viewer: c.var.ctx?.actor },
        loaded.site.locales.includes(locale) ? locale : defaultLocale,
        path,
        refusal.status,
        refusal.code,
      )
      for (const [name, value] of Object.entries(refusalHeaders(refusal))) page.headers.set(name, value)
      return page
    })
    return app
  }

  const pages = layers()
  pages.route(
    '/',
    createHealth({
      check: () => checkDatabase(db),
      unwell: (reason) => log.warn({ err: reason }, 'not ready'),
      stopping: () => stopping,
      metrics: async () => (metrics ? metrics.print() : { type: 'text/plain', text: '' }),
      metricsToken: settings.metricsToken,
    }),
  )
  pages.route('/', signInPages())
  pages.route('/', uploadedFiles())
  pages.route('/', configurationPreview())
  pages.route('/', pagePreviews())
  pages.route('/', createSite({ kept, files, images, inForce: () => ({ site: loaded.site, origin: origin() }) }))

  const attempts = settings.contactLimited
    ? createAddressLimit({ most: limits.contactAttemptsPerAddress, windowMs: limits.contactWindowMs, now })
    : undefined
  const underApi = lazy(async () => {
    const { createInterface } = await import('./api/interface.ts')
    const api = layers()
    // A form is answered with a page, everything else by the interface for programs.
    api.route('/', contactForm({ attempts }))
    api.route('/api', createInterface({ attempts }))
    api.all('/api/*', () => {
      throw new Refusal('not_found')
    })
    return api
  })
  const broken = (error: unknown) =>
    layers().all('*', () => {
      throw error
    })
  const answer: App['fetch'] = async (request, env) =>
    (apiPath.test(getPath(request)) ? await underApi().catch(broken) : pages).fetch(request, env)

  return {
    give: (request, response) => kept.give(request, response),
    fetch: answer,
    routes: async () => [...pages.routes, ...(await underApi()).routes],
    context,
    source: () => loaded.source,
    work() {
      worker ??= startMailWorker({
        db,
        dialect,
        log,
        now,
        site: () => loaded.site,
        transport,
        fill: (claim) => fillLetter(context(), claim),
        event: (name) => metrics?.event(name),
      })
      pictures ??= startPictureWorker({ context, log })
      views ??= startViewKeeper({ context, log, views: kept.views })
      publisher ??= startPagePublisher({ context, log })
      purge ??= startPurge({ context, transport, log })
    },
    async warm() {
      for (const path of ['/', ...loaded.site.locales.filter((one) => one !== defaultLocale).map((one) => `/${one}`)]) {
        await answer(new Request(`http://localhost${path}`))
      }
      await images.draw(context())
    },
    retire() {
      stopping = true
    },
    async stop() {
      stopping = true
      calendar()
      await watch.stop()
      await purge?.stop()
      await views?.stop()
      await publisher?.stop()
      await worker?.stop()
      await pictures?.stop()
      uploads.workshop.stop()
      await storage.close()
      await transport.close()
      await db.destroy()
    },
  }
}

/** The year stands on every page, and turns without anybody changing content. @returns what ends the watch */
function watchCalendar(year: () => string, turned: () => void): () => void {
  let known = year()
  const timer = setInterval(() => {
    if (year() === known) return
    known = year()
    turned()
  }, 30_000)
  timer.unref()
  return () => clearInterval(timer)
}

/** Made when it is first wanted; what failed is tried again. */
function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
