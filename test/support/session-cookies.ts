import { administrator } from './administrator.ts'

/** The cookies that a response sets, as the value of a `Cookie` header. */
export const cookieHeaderOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/**
 * Signs in as the administrator of a program, through the API.
 * @param url the base URL of the program
 * @returns the value of a `Cookie` header
 * @throws when it is refused
 */
export async function signInAsAdministrator(url: string): Promise<string> {
  const response = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier: administrator.email, password: administrator.password }),
  })
  if (response.status !== 200) throw new Error(`signing in: ${response.status} ${await response.text()}`)
  return cookieHeaderOf(response)
}
