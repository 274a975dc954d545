import { readFileSync } from 'node:fs'
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../src/api/document.ts'
import { interfaceDocument } from '../../src/api/interface.ts'
import { aTestApp } from '../support/test-app.ts'

const { Spectral } = spectralCore
const checkedIn = readFileSync('openapi.json', 'utf8')
const document: ApiDocument = JSON.parse(checkedIn)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
)

test('the description that is checked in is that of today; `npm run openapi` writes it', () => {
  expect(checkedIn).toBe(`${JSON.stringify(interfaceDocument(), null, 2)}\n`)
})

test('it lints clean with Spectral', async () => {
  const spectral = new Spectral()
  spectral.setRuleset({ extends: [[oas as never, 'recommended']] })

  expect(await spectral.run(checkedIn)).toEqual([])
  // The linter does look: without a description it complains.
  const worse = structuredClone(document)
  worse.info.description = undefined
  expect((await spectral.run(JSON.stringify(worse))).map(({ code }) => code)).toContain('info-description')
}, 60_000)

describe.each(operations)('$name', ({ method, path, operation }) => {
  const { responses, parameters, requestBody, security } = operation

  test('says what may go wrong', () => {
    const wanted = [
      ...(path.includes('{') ? ['404'] : []),
      ...(parameters?.some((one) => one.in === 'query') ? ['422'] : []),
      ...(requestBody ? ['400', '413', '415', '422'] : []),
      ...(security ? [] : ['401']),
      ...(/Needs/.test(operation.description) ? ['403'] : []),
      'default',
    ]
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(wanted))
    for (const [status, answer] of Object.entries(responses)) {
      if (status < '400') continue
      expect(answer.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      })
    }
  })

  test('says what comes out', () => {
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    expect(good).toHaveLength(1)
    const [[status, answer]] = good as [[string, (typeof responses)[string]]]
    if (status === '204') expect(answer.content).toBeUndefined()
    else expect(Object.keys(answer.content ?? {})).toHaveLength(1)
    if (method === 'get') expect(requestBody).toBeUndefined()
  })
})

test('it is given to whoever asks, and read on a page without script', async () => {
  const site = await aTestApp()

  const json = await site.request('/api/openapi.json')
  expect(json.headers.get('content-type')).toBe('application/json')
  expect(await json.json()).toEqual(document)

  const page = await site.request('/api/docs')
  expect(page.status).toBe(200)
  const html = await page.text()
  for (const { path, operation } of operations) {
    expect(html).toContain(`id="${operation.operationId}"`)
    expect(html).toContain(`>${path}<`)
  }
  for (const name of Object.keys(document.components.schemas)) expect(html).toContain(`id="schema-${name}"`)
  expect(html).not.toMatch(/<script|style="|\son\w+=/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('unsafe-inline')
  expect(policy).toMatch(/style-src 'sha256-[\w+/=]+'/)
})
