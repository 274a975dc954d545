import { type ClientResponse, hc } from 'hono/client'
import type { ResponseFormat } from 'hono/types'
import type { Api } from '../api/routes.ts'
import { shownUserHeader } from '../contract/admin-start.ts'
import type { RefusalCode } from '../contract/errors.ts'
import { currentLocale } from './i18n.ts'

/** The API's problem details, in the user's language. */
interface Problem {
  title: string
  status: number
  detail: string
  code: RefusalCode
  errors: { path: string; message: string }[]
  /** Depends on the code: the stored version (`stale`, `review_ended`, …), or the usages (`file_in_use`). */
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

/** Includes a chunk that failed to load. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message))

/** Without a response, or with one by which a proxy or the server says that it is unavailable. */
export const isTemporary = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof ApiRefusal && [502, 503, 504].includes(error.problem.status))

const fetchApi: typeof fetch = (input, init) => fetch(input, init).catch(throwUnreachable)

/** Why the server asks the user to authenticate again; `signed_out_save`: while saving. */
export type ReauthenticateReason = 'signed_out' | 'signed_out_save' | 'password_needed'
type Reauthenticate = (reason: ReauthenticateReason) => Promise<boolean>

let reauthenticate: Reauthenticate | undefined

/** Sets the function that lets the user authenticate again. @returns a function that removes it */
export function onReauthenticate(handler: Reauthenticate): () => void {
  reauthenticate = handler
  return () => {
    if (reauthenticate === handler) reauthenticate = undefined
  }
}

/** Retries a request that was refused because the session ended, after each successful reauthentication. */
async function fetchWithReauthentication(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchApi(input, init)
  const reason = await reauthenticationReason(response, init?.method ?? 'GET')
  return reason && reauthenticate && (await reauthenticate(reason)) ? fetchWithReauthentication(input, init) : response
}

/** Then no dialog interrupts the typing: a notice above the page says that its draft is not saved. */
const isTypingInPage = () => Boolean(document.activeElement?.closest('[data-page-field]'))

async function reauthenticationReason(response: Response, method: string): Promise<ReauthenticateReason | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined
  const { code } = await problemOf(response.clone())
  if (code === 'signed_out') return method !== 'GET' ? 'signed_out_save' : isTypingInPage() ? undefined : code
  return code === 'password_needed' ? code : undefined
}

/** For an upload, which does not use `fetch`. @returns whether to send it again */
export async function reauthenticateFor(error: unknown): Promise<boolean> {
  const code = error instanceof ApiRefusal ? error.problem.code : undefined
  if (code !== 'signed_out' && code !== 'password_needed') return false
  return reauthenticate?.(code === 'signed_out' ? 'signed_out_save' : code) ?? false
}

let shownUser = ''

/** Sets the user whom this window shows: no request of it is done as another one, who signed in in another window. */
export function setShownUser(id: number): void {
  shownUser = String(id)
}

const languageHeader = () => ({ 'Accept-Language': currentLocale() })

/** Of every request to the API. */
export const apiHeaders = (): Record<string, string> => ({ ...languageHeader(), [shownUserHeader]: shownUser })

/** The typed API client. */
export const api = hc<Api>('/api', { fetch: fetchWithReauthentication, headers: apiHeaders })
/** The same client, without asking for reauthentication. */
export const apiWithoutReauthentication = hc<Api>('/api', { fetch: fetchApi, headers: apiHeaders })
/** The same client, for whoever is signed in in this browser. */
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
 * The body of a successful response.
 * @throws {ApiRefusal}
 */
export async function parseResponse<R extends ClientResponse<unknown, number, ResponseFormat>>(
  call: Promise<R>,
): Promise<SuccessBody<R>> {
  const response = await call
  await throwUnlessOk(response)
  return (response.status === 204 ? undefined : await response.json().catch(throwUnreachable)) as SuccessBody<R>
}

/** `parseResponse`, cast to the type of the body: the client cannot derive that of a recursive schema, such as a menu. */
export const parseAs = <Body>(call: Promise<ClientResponse<unknown, number, ResponseFormat>>): Promise<Body> =>
  parseResponse(call) as Promise<Body>

/** @throws {ApiRefusal} */
async function throwUnlessOk(response: ClientResponse<unknown, number, ResponseFormat>): Promise<void> {
  if (!response.ok) throw new ApiRefusal(await problemOf(response as unknown as Response))
}

/** A proxy may answer with something else than problem details, such as an HTML page. */
export async function problemOf(response: Pick<Response, 'json' | 'status' | 'statusText'>): Promise<Problem> {
  const found = ((await response.json().catch(() => null)) ?? {}) as Partial<Problem>
  return {
    title: found.title ?? response.statusText,
    status: response.status,
    detail: found.detail ?? '',
    code: found.code ?? 'unavailable',
    errors: found.errors ?? [],
    current: found.current,
  }
}

/**
 * Downloads the response under the file name that the server gives.
 * @throws {ApiRefusal}
 */
export async function downloadFile(call: Promise<ClientResponse<unknown, number, ResponseFormat>>): Promise<Headers> {
  const response = await call
  await throwUnlessOk(response)
  const url = URL.createObjectURL(await response.blob().catch(throwUnreachable))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName(response.headers.get('content-disposition'))
  link.click()
  // By then the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return response.headers
}

const fileName = (disposition: string | null) =>
  decodeURIComponent(disposition?.match(/filename\*=UTF-8''([^;]+)/)?.[1] ?? 'export')

/** Whether a query must not be polled: the session ended, and each answer would ask for the password again. */
export const isSignedOut = ({ state: { error } }: { state: { error: Error | null } }): boolean =>
  isApiRefusal(error, 'signed_out')

/** For `refetchInterval`: polls while the data is awaited, until the session ends. */
export const pollWhile =
  <Data>(isAwaited: (data: Data) => boolean, ms: number) =>
  (query: { state: { data: Data | undefined; error: Error | null } }): number | false =>
    query.state.data !== undefined && isAwaited(query.state.data) && !isSignedOut(query) && ms
