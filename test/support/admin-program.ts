import type { Cookie, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import type { User } from '../../src/contract/users.ts'
import { administrator } from './administrator.ts'
import { baseUrlOf } from './browser.ts'
import { waitForNetworkIdle, waitForWrites } from './network-idle.ts'
import { aProgram, type Program } from './program.ts'
import { signInAsAdministrator } from './session-cookies.ts'

export interface ProgramWithAdministrator extends Program {
  /** Calls the API as the administrator; a refused call fails the test. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  addUser(user: { name: string; email: string; password?: string; roleId?: number; locale?: string }): Promise<User>
  addRole(name: string, rights: string[]): Promise<Role>
}

/** Starts the built program with an administrator; it is stopped when the test ends. */
export async function aProgramWithAdministrator(
  settings: Record<string, string> = {},
): Promise<ProgramWithAdministrator> {
  const program = await aProgram({
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    ...settings,
  })
  const send = (method: string, path: string, body: unknown, cookie: string) =>
    fetch(program.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  let cookie = await signInAsAdministrator(program.url)

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    let response = await send(method, path, body, cookie)
    if (response.status === 403 && (await response.clone().json()).code === 'password_needed') {
      // It must have been entered in the last ten minutes.
      cookie = await signInAsAdministrator(program.url)
      response = await send(method, path, body, cookie)
    }
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  // `program` itself: its `process` is a getter, which a copy would replace by the process of the first start.
  return Object.assign(program, {
    call,
    addUser: ({ roleId, ...user }: Parameters<ProgramWithAdministrator['addUser']>[0]) =>
      call<User>('POST', '/api/users', {
        username: user.email,
        confirmed: true,
        role: { connect: [1] },
        ...(roleId && { user_role: { set: [roleId] } }),
        ...user,
      }),
    addRole: (name: string, rights: string[]) => call<Role>('POST', '/api/roles', { name, rights }),
  })
}

/** The credentials of a user who works in Persian. */
export const roya = { email: 'roya@example.nl', password: 'geheim-roya' }

/** Adds Roya with the role of an administrator. */
export const addPersianAdministrator = (site: ProgramWithAdministrator): Promise<User> =>
  site.addUser({ name: 'رویا مرادی', ...roya, roleId: 2, locale: 'fa' })

/** The cookies of the last session of each user, by site and email address. */
const sessions = new Map<string, Cookie[]>()

/**
 * Signs in through the API instead of the screens. A session of an earlier browser is used again while it is valid,
 * because checking a password is slow.
 */
export async function signInByApi(
  page: Page,
  credentials: { email: string; password: string } = administrator,
  { reuse = true } = {},
): Promise<void> {
  const context = page.context()
  const key = `${baseUrlOf(page)} ${credentials.email}`
  const cookies = sessions.get(key)
  if (cookies && reuse) {
    await context.addCookies(cookies)
    if ((await context.request.get('/api/profile')).ok()) return
    await context.clearCookies()
  }
  const response = await context.request.post('/api/login', {
    data: { identifier: credentials.email, password: credentials.password },
  })
  expect(response.status()).toBe(200)
  sessions.set(key, await context.cookies())
}

/**
 * Keeps the screens that are opened from now on from preloading code, which they do after three seconds without a request,
 * so at an unpredictable moment: every timer of three seconds is ignored.
 */
export const disablePreloading = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { setTimeout } = window
    window.setTimeout = ((run: TimerHandler, ms?: number, ...args: unknown[]) =>
      ms === 3_000 ? 0 : setTimeout(run, ms, ...args)) as typeof window.setTimeout
  })

/** Opens a screen, after the writes of the screen before it are answered, and waits until its data is shown. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await waitForWrites(page)
  await page.goto(path)
  await waitUntilLoaded(page)
}

/** Signs in through the API and opens a screen. @returns the page */
export async function signInAndOpen(
  page: Page,
  path: string,
  credentials: { email: string; password: string } = administrator,
): Promise<Page> {
  await signInByApi(page, credentials)
  await openScreen(page, path)
  return page
}

/**
 * Opens another screen by the router of the admin, which does not load the document and its scripts again. When the path
 * changes, it waits until the heading has changed, so both screens must have different headings.
 */
export async function goToScreen(page: Page, path: string): Promise<void> {
  const current = new URL(page.url())
  // A tab without a screen yet: a new one, or one that was reset.
  if (current.protocol === 'about:' || current.pathname === '/robots.txt') return openScreen(page, path)
  const heading = await page.locator('h1').first().textContent()
  await page.evaluate((to) => history.pushState(null, '', to), path)
  if (current.pathname !== new URL(path, current).pathname) {
    await page.waitForFunction((before) => (document.querySelector('h1')?.textContent ?? before) !== before, heading)
  }
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  await waitUntilLoaded(page)
}

/**
 * Presses a button that saves, and waits until the server has answered and the button no longer shows that it is loading.
 * A notification is nothing to wait for: it may be of an earlier save.
 * @param path matches the path of the call
 */
export async function pressSave(page: Page, button: Locator, path: RegExp): Promise<void> {
  const response = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && path.test(new URL(response.url()).pathname),
  )
  await Promise.all([response, button.click()])
  // The save may change the language and so the name of the button, which `button` then matches no longer.
  await expect
    .poll(() =>
      button.evaluateAll((buttons) => buttons.some((element) => element.getAttribute('data-loading') === 'true')),
    )
    .toBe(false)
}

/**
 * Turns a radio button or switch on or off, by a click on its visible label. Playwright clicks once the label stands still;
 * a forced click on the hidden input may miss while it moves.
 */
export async function setChecked(input: Locator, checked = true): Promise<void> {
  if ((await input.isChecked()) === checked) return
  const label = await input.evaluateHandle((element) => (element as HTMLInputElement).labels?.[0] ?? element)
  await label.click()
  await expect.poll(() => input.isChecked()).toBe(checked)
}

/** Waits until the screen has a heading, no request is pending and no placeholder of loading data is shown. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await waitForNetworkIdle(page)
  await page.locator('main [role="status"] .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}
