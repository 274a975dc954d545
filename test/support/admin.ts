import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import type { User } from '../../src/contract/users.ts'
import { aProgram, type Program } from './program.ts'
import { untilQuiet } from './quiet.ts'

/** The first administrator of a program that is started for a journey. */
export const boss = { email: 'bente@example.nl', name: 'bente', password: 'geheim-123' }

export interface StaffedProgram extends Program {
  /** Calls the API as the administrator; what is refused fails the test. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  addUser(user: { name: string; email: string; password?: string; roleId?: number; locale?: string }): Promise<User>
  addRole(name: string, rights: string[]): Promise<Role>
}

/** The built program with somebody who may do everything. */
export async function aStaffedProgram(settings: Record<string, string> = {}): Promise<StaffedProgram> {
  const program = await aProgram({ ADMIN_EMAIL: boss.email, ADMIN_PASSWORD: boss.password, ...settings })
  const send = (method: string, path: string, body: unknown, cookie: string) =>
    fetch(program.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const signedIn = await send('POST', '/api/login', { identifier: boss.email, password: boss.password }, '')
  expect(signedIn.status).toBe(200)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await send(method, path, body, cookie)
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  // A copy of `program` would not follow its process through a restart.
  return Object.assign(program, {
    call,
    addUser: ({ roleId, ...user }: Parameters<StaffedProgram['addUser']>[0]) =>
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

/** Signs in without the screens of it. */
export async function enter(page: Page, who: { email: string; password: string } = boss): Promise<void> {
  const response = await page.context().request.post('/api/login', {
    data: { identifier: who.email, password: who.password },
  })
  expect(response.status()).toBe(200)
}

/** Goes to a screen and waits until it stands there with its data. */
export async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await settled(page)
}

/** Nothing is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await untilQuiet(page)
  await page.locator('main [role="status"] .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
}
