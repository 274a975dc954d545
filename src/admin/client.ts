import { type ClientResponse, hc } from 'hono/client'
import type { ResponseFormat } from 'hono/types'
import type { Api } from '../api/routes.ts'
import { shownUserHeader } from '../contract/admin-start.ts'
import type { RefusalCode } from '../contract/errors.ts'
import { currentLocale } from './i18n.ts'

/** The API's problem details (RFC 9457), in the user's language. */
interface Problem {
  title: string
  status: number
  detail: string
  code: RefusalCode
  errors: { path: string; message: string }[]
  /** By the code: the stored version (`stale`, `review_ended`, …) or the usages of a file (`file_in_use`). */
  current?: unknown
}

export class ApiRefusal extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.title)
    this.name = 'ApiRefusal'
    this.problem = problem
  }
}

export const isApiRefusal = (error: unknown, code: RefusalCode): error is ApiRefusal =>
  error instanceof ApiRefusal && error.problem.code === code

/** No response: the network or the server is down. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('the server was not reached', { cause })
    this.name = 'Unreachable'
  }
}

/** `fetch` reports a network failure as a TypeError, like many programming errors, so it is wrapped here. */
function throwUnreachable(error: unknown): never {
  throw error instanceof TypeError ? new Unreachable(error) : error
}

/** Whether the request got no response, or a chunk failed to load for any reason. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message))

/** Whether a retry may succeed: `isUnreachable`, or a 502, 503 or 504. */
export const isTemporary = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof ApiRefusal && [502, 503, 504].includes(error.problem.status))

const fetchApi: typeof fetch = (input, init) => fetch(input, init).catch(throwUnreachable)

/** Why the user must authenticate again. `signed_out_save`: the session had ended when a change was sent. */
export type ReauthenticateReason = 'signed_out' | 'signed_out_save' | 'password_needed'
/** @returns whether the user authenticated again */
type Reauthenticate = (reason: ReauthenticateReason) => Promise<boolean>

let reauthenticate: Reauthenticate | undefined

/** Sets the function that lets the user authenticate again. @returns a function that removes it */
export function onReauthenticate(handler: Reauthenticate): () => void {
  reauthenticate = handler
  return () => {
    if (reauthenticate === handler) reauthenticate = undefined
  }
}

/** Like `fetch`, but lets the user authenticate again when the server requires it, and then retries the request. */
async function fetchWithReauthentication(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchApi(input, init)
  const reason = await reauthenticationReason(response, init?.method ?? 'GET')
  return reason && reauthenticate && (await reauthenticate(reason)) ? fetchWithReauthentication(input, init) : response
}

/** Whether the user types in a page. Then a GET opens no dialog: a notice above the page says that its draft is not saved. */
const isTypingInPage = () => Boolean(document.activeElement?.closest('[data-page-field]'))

async function reauthenticationReason(response: Response, method: string): Promise<ReauthenticateReason | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined
  const { code } = await parseProblem(response.clone())
  if (code === 'password_needed') return code
  if (code !== 'signed_out') return undefined
  if (method !== 'GET') return 'signed_out_save'
  return isTypingInPage() ? undefined : code
}

/** Reauthentication for an upload, which does not use `fetch`. @returns whether to send the upload again */
export async function reauthenticateFor(error: unknown): Promise<boolean> {
  const code = error instanceof ApiRefusal ? error.problem.code : undefined
  if (code !== 'signed_out' && code !== 'password_needed') return false
  return reauthenticate?.(code === 'signed_out' ? 'signed_out_save' : code) ?? false
}

let shownUser = ''

/**
 * Sets the user for whom this window was loaded. Requests name that user in a header: if somebody else has signed in in
 * another window of the browser, the server treats them as signed out.
 */
export function setShownUser(id: number): void {
  shownUser = String(id)
}

const languageHeader = () => ({ 'Accept-Language': currentLocale() })

/** The headers of requests to the API, also of those without the typed client; `apiForAnyUser` does not name the user. */
export const apiHeaders = (): Record<string, string> => ({ ...languageHeader(), [shownUserHeader]: shownUser })

/** The typed API client. */
export const api = hc<Api>('/api', { fetch: fetchWithReauthentication, headers: apiHeaders })
/** The same client, without asking for reauthentication. */
export const apiWithoutReauthentication = hc<Api>('/api', { fetch: fetchApi, headers: apiHeaders })
/** A client without reauthentication that does not name the window's user: requests are done as the signed-in user. */
export const apiForAnyUser = hc<Api>('/api', { fetch: fetchApi, headers: languageHeader })

type SuccessBody<R> =
  R extends ClientResponse<infer Body, infer Status, infer _Format>
    ? Status extends 200 | 201
      ? Body
      : Status extends 204
        ? undefined
        : never
    : never

/**
 * Returns the body of a successful response; undefined for a 204.
 * @throws {ApiRefusal}, {Unreachable}
 */
export async function parseResponse<R extends ClientResponse<unknown, number, ResponseFormat>>(
  call: Promise<R>,
): Promise<SuccessBody<R>> {
  const response = await call
  await throwUnlessOk(response)
  return (response.status === 204 ? undefined : await response.json().catch(throwUnreachable)) as SuccessBody<R>
}

/** `parseResponse` with a cast, where the client cannot infer the body: a recursive schema, such as a menu. */
export const parseAs = <Body>(call: Promise<ClientResponse<unknown, number, ResponseFormat>>): Promise<Body> =>
  parseResponse(call) as Promise<Body>

/** @throws {ApiRefusal} */
async function throwUnlessOk(response: ClientResponse<unknown, number, ResponseFormat>): Promise<void> {
  if (!response.ok) throw new ApiRefusal(await parseProblem(response as unknown as Response))
}

/** Reads the problem details of a response. A proxy may send something else, such as HTML: then `unavailable`. */
export async function parseProblem(response: Pick<Response, 'json' | 'status' | 'statusText'>): Promise<Problem> {
  const body = ((await response.json().catch(() => null)) ?? {}) as Partial<Problem>
  return {
    title: body.title ?? response.statusText,
    status: response.status,
    detail: body.detail ?? '',
    code: body.code ?? 'unavailable',
    errors: body.errors ?? [],
    current: body.current,
  }
}

/**
 * Downloads the response under the file name of its `Content-Disposition` header. @returns the response headers
 * @throws {ApiRefusal}, {Unreachable}
 */
export async function downloadFile(call: Promise<ClientResponse<unknown, number, ResponseFormat>>): Promise<Headers> {
  const response = await call
  await throwUnlessOk(response)
  const url = URL.createObjectURL(await response.blob().catch(throwUnreachable))
  const link = document.createElement('a')
  link.href = url
  link.download = fileNameIn(response.headers.get('content-disposition'))
  link.click()
  // The browser reads the blob after the click; a minute is enough.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return response.headers
}

const fileNameIn = (disposition: string | null) =>
  decodeURIComponent(disposition?.match(/filename\*=UTF-8''([^;]+)/)?.[1] ?? 'export')

/** Whether the session had ended at the last fetch of a query. Polling on would open a dialog each time. */
export const isSignedOut = ({ state: { error } }: { state: { error: Error | null } }): boolean =>
  isApiRefusal(error, 'signed_out')

/** Creates a `refetchInterval` that polls while the condition holds for the loaded data, until the session ends. */
export const pollWhile =
  <Data>(condition: (data: Data) => boolean, intervalMs: number) =>
  (query: { state: { data: Data | undefined; error: Error | null } }): number | false =>
    query.state.data !== undefined && condition(query.state.data) && !isSignedOut(query) && intervalMs
