import { type ClientResponse, hc } from 'hono/client'
import type { ResponseFormat } from 'hono/types'
import type { Interface } from '../api/interface.ts'
import type { RefusalCode } from '../contract/errors.ts'
import { spokenLocale } from './i18n.ts'

/** What the API says when it refuses, in the reader's words. */
export interface Problem {
  title: string
  status: number
  detail: string
  code: RefusalCode
  errors: { path: string; message: string }[]
  /** With `stale`: what stands now. */
  current?: unknown
}

export class Refused extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.title)
    this.name = 'Refused'
    this.problem = problem
  }
}

export const isRefused = (error: unknown, code: RefusalCode): error is Refused =>
  error instanceof Refused && error.problem.code === code

/** The server gave no answer: there is no network, or nobody on the other side. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('the server was not reached', { cause })
    this.name = 'Unreachable'
  }
}

/** What `fetch` throws when nothing comes back has the class of many a mistake of our own; it is told apart here. */
function unreached(error: unknown): never {
  throw error instanceof TypeError ? new Unreachable(error) : error
}

/** A part of the program that did not come is not there for the same reasons. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message))

const reach: typeof fetch = (input, init) => fetch(input, init).catch(unreached)

/** Why the server wants to know again who is there; with `signed_out_save` something was to be written. */
export type AskReason = 'signed_out' | 'signed_out_save' | 'password_needed'
type Ask = (reason: AskReason) => Promise<boolean>

let ask: Ask | undefined

/** Sets who asks the person for the password, in place. @returns what ends that */
export function whenAsked(asker: Ask): () => void {
  ask = asker
  return () => {
    if (ask === asker) ask = undefined
  }
}

/**
 * Sends a request; one that was refused because the session ended is sent once more when the person is back. Who says
 * so and is not is asked again.
 */
async function sendAndAsk(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await reach(input, init)
  const reason = await askReason(response, init?.method ?? 'GET')
  return reason && ask && (await ask(reason)) ? sendAndAsk(input, init) : response
}

async function askReason(response: Response, method: string): Promise<AskReason | undefined> {
  if (response.status !== 401 && response.status !== 403) return undefined
  const { code } = await problemOf(response.clone())
  if (code === 'signed_out') return method === 'GET' ? code : 'signed_out_save'
  return code === 'password_needed' ? code : undefined
}

/** For what `fetch` cannot send: asks the person, and says whether to send it once more. */
export async function askAgain(error: unknown): Promise<boolean> {
  const code = error instanceof Refused ? error.problem.code : undefined
  return (code === 'signed_out' || code === 'password_needed') && ask !== undefined && ask(code)
}

const headers = () => ({ 'Accept-Language': spokenLocale() })

/** The API, by its own description. */
export const api = hc<Interface>('/api', { fetch: sendAndAsk, headers })
/** The same for what tells who is there: it asks nobody anything. */
export const bareApi = hc<Interface>('/api', { fetch: reach, headers })

type Good<R> =
  R extends ClientResponse<infer Body, infer Status, infer _Format>
    ? Status extends 200 | 201
      ? Body
      : Status extends 204
        ? undefined
        : never
    : never

/**
 * The body of a call's answer.
 * @throws {Refused}
 */
export async function answer<R extends ClientResponse<unknown, number, ResponseFormat>>(
  call: Promise<R>,
): Promise<Good<R>> {
  const response = await call
  await refuseUnlessOk(response)
  return (response.status === 204 ? undefined : await response.json().catch(unreached)) as Good<R>
}

/** @throws {Refused} */
export async function refuseUnlessOk(response: ClientResponse<unknown, number, ResponseFormat>): Promise<void> {
  if (!response.ok) throw new Refused(await problemOf(response as unknown as Response))
}

export async function problemOf(response: Pick<Response, 'json' | 'status' | 'statusText'>): Promise<Problem> {
  const found = (await response.json().catch(() => ({}))) as Partial<Problem>
  // A proxy between us and the server may answer with a page.
  return {
    title: found.title ?? response.statusText,
    status: response.status,
    detail: found.detail ?? '',
    code: found.code ?? 'unavailable',
    errors: found.errors ?? [],
    current: found.current,
  }
}
