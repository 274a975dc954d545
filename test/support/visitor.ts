import type { TestApp } from './test-app.ts'

/** A client like a browser without scripts: it has cookies of its own, and does not follow redirects. */
export interface Visitor {
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Submits a form, URL-encoded. */
  submitForm(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  /** Posts JSON, or nothing without `body`. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

/** @param address its IP address, sent in X-Forwarded-For; the site must trust one proxy */
export function aVisitor(site: Pick<TestApp, 'request'>, address?: string): Visitor {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (address) headers.set('x-forwarded-for', address)
    const response = await site.request(path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    submitForm: (path, fields, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
