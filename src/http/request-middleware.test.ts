import { expect, test } from 'vitest'
import { requestOrigin } from './request-middleware.ts'

const siteUrl = 'https://www.example.nl'

test.each([
  ['https://elders.example', 'http://10.0.0.1:3000/login', false, undefined, 'https://elders.example'],
  ['http://localhost:3000/', 'http://www.example.nl/', true, 'https', 'http://localhost:3000'],
  [undefined, 'http://www.example.nl/login', false, undefined, siteUrl],
  [undefined, 'http://localhost:3000/login', false, undefined, 'http://localhost:3000'],
  [undefined, 'http://192.168.1.20/login', false, 'https', 'http://192.168.1.20'],
  [undefined, 'http://192.168.1.20/login', true, 'https', 'https://192.168.1.20'],
  [undefined, 'http://192.168.1.20/login', true, 'https, http', 'http://192.168.1.20'],
  [undefined, 'http://[::1]:3000/login', true, 'javascript', 'http://[::1]:3000'],
])(
  'with BASE_URL %s a request for %s (behind a proxy: %s, X-Forwarded-Proto: %s) has the origin %s',
  (baseUrl, url, proxied, proto, expected) => {
    const request = new Request(url, { headers: proto ? { 'x-forwarded-proto': proto } : {} })
    expect(requestOrigin(request, { baseUrl, siteUrl, proxied })).toBe(expected)
  },
)
