import { expect } from 'vitest'
import type { ProgramWithAdministrator } from './admin-program.ts'
import { getPageIn } from './page-editor.ts'
import { cookieHeaderOf } from './session-cookies.ts'

/**
 * Signs a user in without a browser, to save pages while a test has them open.
 * @returns a function that saves changes to the Dutch text of a page as that user
 */
export async function aColleague(
  site: ProgramWithAdministrator,
  { email, password }: { email: string; password: string },
): Promise<(id: number, changes: object) => Promise<void>> {
  const send = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(site.url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect(response.status, `${method} ${path}`).toBe(200)
    return response
  }
  const cookie = cookieHeaderOf(await send('POST', '/api/login', { identifier: email, password }))
  return async (id, changes) => {
    const { text, version } = await getPageIn(site, id)
    await send('PUT', `/api/pages/${id}/nl`, { text: { ...text, ...changes }, version }, { cookie })
  }
}
