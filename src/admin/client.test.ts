import { afterEach, expect, test, vi } from 'vitest'
import {
  ApiRefusal,
  api,
  downloadFile,
  onReauthenticate,
  parseProblem,
  parseResponse,
  pollWhile,
  reauthenticateFor,
  Unreachable,
} from './client.ts'

const signedOut = { title: '', status: 401, detail: '', code: 'signed_out' as const, errors: [] }

/** The reasons for which the user is asked to sign in again; nobody does. */
function reauthenticationReasons(): string[] {
  const reasons: string[] = []
  const remove = onReauthenticate(async (reason) => {
    reasons.push(reason)
    return false
  })
  onTestEnd.push(remove)
  return reasons
}

const onTestEnd: (() => void)[] = []
afterEach(() => {
  for (const end of onTestEnd.splice(0)) end()
  vi.unstubAllGlobals()
})

test('a read after the session ended asks for the password when nothing has the focus, but not while the user types in a page', async () => {
  vi.stubGlobal('fetch', async () => Response.json(signedOut, { status: 401 }))
  const reasons = reauthenticationReasons()
  vi.stubGlobal('document', { activeElement: { closest: () => ({}) } })
  await expect(parseResponse(api.me.$get())).rejects.toThrow(ApiRefusal)
  expect(reasons).toEqual([])
  vi.stubGlobal('document', { activeElement: null })
  await expect(parseResponse(api.me.$get())).rejects.toThrow(ApiRefusal)
  expect(reasons).toEqual(['signed_out'])
})

test('when an upload finds the session ended, the password prompt says that the upload will still be saved', async () => {
  const reasons = reauthenticationReasons()
  expect(await reauthenticateFor(new ApiRefusal(signedOut))).toBe(false)
  expect(reasons).toEqual(['signed_out_save'])
})

test('an error response whose body is not a problem of the API still gets its status and an error code', async () => {
  for (const body of ['null', '"busy"', '<html>']) {
    const problem = await parseProblem(new Response(body, { status: 502, statusText: 'Bad Gateway' }))
    expect(problem).toMatchObject({ title: 'Bad Gateway', status: 502, code: 'unavailable' })
  }
})

test('a download that breaks off says that the server was not reached', async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) })
  const call = Promise.resolve(new Response(body)) as never
  await expect(downloadFile(call)).rejects.toThrow(Unreachable)
})

test('polling stops when the session has ended, because each response would ask for the password again', () => {
  const poll = pollWhile(({ waits }: { waits: boolean }) => waits, 3_000)
  const interval = (waits: boolean, error: Error | null) => poll({ state: { data: { waits }, error } })
  expect([interval(true, null), interval(true, new Unreachable()), interval(false, null)]).toEqual([
    3_000,
    3_000,
    false,
  ])
  expect(interval(true, new ApiRefusal(signedOut))).toBe(false)
})
