import type { Cookie, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import type { User } from '../../src/contract/users.ts'
import { administrator } from './administrator.ts'
import { baseUrlOf } from './browser.ts'
import { waitForNetworkIdle, waitForWrites } from './network-idle.ts'
import { aProgram, type Program } from './program.ts'
import { signInAt } from './sign-in-at.ts'

export { administrator }

export interface ProgramWithAdministrator extends Program {
  /** Calls the API as the administrator; a refused call fails the test. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  addUser(user: { name: string; email: string; password?: string; roleId?: number; locale?: string }): Promise<User>
  addRole(name: string, rights: string[]): Promise<Role>
}

/** The built program with an administrator. */
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
  let cookie = await signInAt(program.url)

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    let response = await send(method, path, body, cookie)
    if (response.status === 403 && (await response.clone().json()).code === 'password_needed') {
      // It must have been entered in the last ten minutes.
      cookie = await signInAt(program.url)
      response = await send(method, path, body, cookie)
    }
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  // A copy of `program` would keep the old process after a restart.
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

/** Who works in Persian. */
export const roya = { email: 'roya@example.nl', password: 'geheim-roya' }

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
  who: { email: string; password: string } = administrator,
  { reuse = true } = {},
): Promise<void> {
  const context = page.context()
  const key = `${baseUrlOf(page)} ${who.email}`
  const known = sessions.get(key)
  if (known && reuse) {
    await context.addCookies(known)
    if ((await context.request.get('/api/profile')).ok()) return
    await context.clearCookies()
  }
  const response = await context.request.post('/api/login', {
    data: { identifier: who.email, password: who.password },
  })
  expect(response.status()).toBe(200)
  sessions.set(key, await context.cookies())
}

/** Nothing that a screen loads in advance, when it has been idle for three seconds: how long that takes is chance. */
export const withoutPreloading = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { setTimeout } = window
    window.setTimeout = ((run: TimerHandler, ms?: number, ...more: unknown[]) =>
      ms === 3_000 ? 0 : setTimeout(run, ms, ...more)) as typeof window.setTimeout
  })

/** Opens a screen and waits until its data is shown. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await waitForWrites(page)
  await page.goto(path)
  await waitUntilLoaded(page)
}

/** Signs in through the API and opens a screen. @returns the page */
export async function signInAndOpen(
  page: Page,
  path: string,
  who: { email: string; password: string } = administrator,
): Promise<Page> {
  await signInByApi(page, who)
  await openScreen(page, path)
  return page
}

/**
 * Opens another screen by the router of the admin, so that the program is not loaded again. Each path has a heading of its
 * own.
 */
export async function goToScreen(page: Page, path: string): Promise<void> {
  const from = new URL(page.url())
  // A tab without a screen yet: a new one, or one that was reset.
  if (from.protocol === 'about:' || from.pathname === '/robots.txt') return openScreen(page, path)
  const heading = await page.locator('h1').first().textContent()
  await page.evaluate((to) => history.pushState(null, '', to), path)
  if (from.pathname !== new URL(path, from).pathname) {
    await page.waitForFunction((before) => (document.querySelector('h1')?.textContent ?? before) !== before, heading)
  }
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))))
  await waitUntilLoaded(page)
}

/**
 * Presses a button that saves, and waits until the server has answered and the form knows it: the notification that is
 * shown may be of an earlier save.
 * @param path of the call
 */
export async function pressSave(page: Page, button: Locator, path: RegExp): Promise<void> {
  const answered = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && path.test(new URL(response.url()).pathname),
  )
  await Promise.all([answered, button.click()])
  // Its name may change with the language, so nothing waits for the button itself.
  await expect
    .poll(() => button.evaluateAll((found) => found.some((one) => one.getAttribute('data-loading') === 'true')))
    .toBe(false)
}

/** Checks a radio button or switch by its visible label, once that stands still: a forced click may miss a moving one. */
export async function choose(input: Locator, checked = true): Promise<void> {
  if ((await input.isChecked()) === checked) return
  const label = await input.evaluateHandle((one) => (one as HTMLInputElement).labels?.[0] ?? one)
  await label.click()
  await expect.poll(() => input.isChecked()).toBe(checked)
}

/** Waits until no request is pending. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await waitForNetworkIdle(page)
  await page.locator('main [role="status"] .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}
