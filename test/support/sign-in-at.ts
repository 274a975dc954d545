import { administrator } from './administrator.ts'

/** The value of a `Cookie` header with the cookies that a response sets. */
export const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')

/** Signs the administrator of a program in. @returns the value of a `Cookie` header @throws when that is refused */
export async function signInAt(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier: administrator.email, password: administrator.password }),
  })
  if (answer.status !== 200) throw new Error(`signing in: ${answer.status} ${await answer.text()}`)
  return cookiesOf(answer)
}
