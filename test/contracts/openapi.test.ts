import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../src/api/api-document.ts'
import { apiDocument } from '../../src/api/routes.ts'
import { blocks } from '../../src/blocks/registry.ts'
import { contactFields } from '../../src/contract/contact.ts'
import { limits } from '../../src/contract/limits.ts'
import { aTestApp } from '../support/test-app.ts'

const checkedIn = readFileSync('openapi.json', 'utf8')
const document: ApiDocument = JSON.parse(checkedIn)
const operationsOf = ({ paths }: ApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
  )
const operations = operationsOf(document)

test('the openapi.json in the repository is up to date; `npm run openapi` writes it', async () => {
  expect(checkedIn).toBe(`${JSON.stringify(apiDocument(), null, 2)}\n`)
  const { stderr } = await promisify(execFile)(process.execPath, ['scripts/openapi.mjs'])
  expect(stderr).toContain('openapi.json is as it should be')
})

test('the description passes the strict rules of Redocly without findings, and names no dialect inside', async () => {
  expect(checkedIn.match(/"\$schema"/g)).toBeNull()
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'tag-description': 'error',
      'operation-tag-defined': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
    },
  })
  const lint = (source: string) => lintFromString({ source, config })

  expect(await lint(checkedIn)).toEqual([])
  // The linter works: it complains when a description is missing.
  const worse = structuredClone(document)
  for (const { operation } of operationsOf(worse)) operation.description = ''
  expect((await lint(JSON.stringify(worse))).map(({ ruleId }) => ruleId)).toContain('operation-description')
})

test('the description has maxLength where the server refuses a longer text', () => {
  const { schemas } = (document as unknown as { components: { schemas: Record<string, { properties: Texts }> } })
    .components
  type Texts = Record<string, { maxLength?: number; additionalProperties?: { maxLength?: number } }>
  expect(schemas.NewReply?.properties.text?.maxLength).toBe(limits.replyChars)
  expect(schemas.MessageNote?.properties.note?.maxLength).toBe(limits.noteChars)
  expect(schemas.ChangedFile?.properties.alt?.additionalProperties?.maxLength).toBe(limits.fileAltChars)
  const contact = document.paths['/contact']?.post?.requestBody as unknown as {
    content: Record<string, { schema: { properties: Texts } }>
  }
  expect(contact.content['application/json']?.schema.properties).toMatchObject({
    naam: { maxLength: limits.naamChars },
    email: { maxLength: limits.emailChars },
    tel: { maxLength: limits.telChars },
    bericht: { maxLength: limits.berichtChars },
  })
})

/** The texts of requests that have no limit of their own. */
const unlimitedTexts = [
  // The names of its parts: another one is an unknown field.
  'ChangedConfiguration.config (names)',
  // Limited together with the rest of the draft.
  'DraftToSave.text.body.type',
  // Any text in it counts as spam.
  'post /contact.website',
  'post /forms/{id}.website',
  // An invalid one is ignored, so that it cannot prevent signing out.
  'post /logout.redirect',
]

test('the description gives every text of a request a maximum length, a format or a list of values', () => {
  type Schema = { [keyword: string]: unknown; properties?: Record<string, Schema> }
  const { schemas } = document.components as unknown as { schemas: Record<string, Schema> }
  const found = new Set<string>()
  const search = (schema: unknown, path: string, within: readonly string[] = []) => {
    if (typeof schema !== 'object' || schema === null) return
    const { $ref, type, properties = {}, propertyNames, ...rest } = schema as Schema
    if (typeof $ref === 'string') {
      const name = $ref.split('/').at(-1) ?? ''
      if (!within.includes(name)) search(schemas[name], name, [...within, name])
      return
    }
    const isBounded = ['maxLength', 'pattern', 'enum', 'format', 'const'].some((keyword) => keyword in rest)
    if ([type].flat().includes('string') && !isBounded) found.add(path)
    for (const [name, inner] of Object.entries(properties)) search(inner, `${path}.${name}`, within)
    search(propertyNames, `${path} (names)`, within)
    const { anyOf, oneOf, allOf, prefixItems, items, additionalProperties } = rest
    for (const inner of [anyOf, oneOf, allOf, prefixItems, items, additionalProperties].flat()) {
      search(inner, path, within)
    }
  }
  for (const { name, operation } of operations) {
    for (const parameter of operation.parameters ?? []) search(parameter.schema, `${name}.${parameter.name}`)
    const { content = {} } = (operation.requestBody ?? {}) as { content?: Record<string, { schema: unknown }> }
    for (const { schema } of Object.values(content)) search(schema, name)
  }
  expect([...found].sort()).toEqual(unlimitedTexts)
})

test('a contact message needs its four fields and no others', () => {
  const contact = document.paths['/contact']?.post?.requestBody as unknown as {
    content: Record<string, { schema: { required: string[] } }>
  }
  const required = Object.values(contact.content).map(({ schema }) => schema.required)
  expect(required).toEqual([contactFields, contactFields, contactFields])
})

describe.each(operations)('$name', ({ method, path, operation }) => {
  const { responses, parameters, requestBody, security } = operation

  test('lists the errors', () => {
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

  test('describes the response', () => {
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    expect(good).toHaveLength(1)
    const [[status, answer]] = good as [[string, (typeof responses)[string]]]
    if (status === '204') expect(answer.content).toBeUndefined()
    // A privacy export is given as JSON or as a page.
    else expect(Object.keys(answer.content ?? {})).toHaveLength(path === '/privacy/export' ? 2 : 1)
    if (method === 'get') expect(requestBody).toBeUndefined()
  })
})

test('the description is public, and readable on a page without scripts', async () => {
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
  for (const type of Object.keys(blocks)) expect(html).toContain(`<summary><code>${type}</code></summary>`)
  expect(html).not.toMatch(/<script|style="|\son\w+=/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('unsafe-inline')
  expect(policy).toMatch(/style-src 'sha256-[\w+/=]+'/)
})
