import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contactFields, contactMessage } from '../contract/contact.ts'
import { Refusal } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { readContact, validateContact, wantsHtml } from './contact-body.ts'
import { problemMessages } from './problem.ts'

const roya = { naam: 'Roya', email: 'roya@karimi.example', tel: '043 325 1234', bericht: 'Belt u mij?' }
const urlencoded = 'application/x-www-form-urlencoded'

const aPost = (type: string | undefined, body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://localhost/api/contact', {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { ...(type === undefined ? {} : { 'Content-Type': type }), ...headers },
  } as RequestInit)
const json = (value: unknown) => aPost('application/json', typeof value === 'string' ? value : JSON.stringify(value))
const form = (fields: Record<string, string>) => aPost(urlencoded, new URLSearchParams(fields).toString())

/** The message of a post, or the code of the refusal and its fields. */
async function outcome(request: Request) {
  try {
    return validateContact(await readContact(request))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'invalid' ? error.problems.map(({ path, key }) => `${path}: ${key}`) : error.code
  }
}

describe('a message is read from', () => {
  test('JSON', async () => expect(await outcome(json(roya))).toEqual(roya))
  test('a form', async () => expect(await outcome(form(roya))).toEqual(roya))
  test('a form with files in it', async () => {
    const body = new FormData()
    for (const [name, value] of Object.entries(roya)) body.set(name, value)
    expect(await outcome(new Request('http://localhost/api/contact', { method: 'POST', body }))).toEqual(roya)
  })
  test('types with parameters and capitals', async () => {
    expect(await outcome(aPost('Application/JSON; charset="UTF-8"', JSON.stringify(roya)))).toEqual(roya)
  })
})

test('values are normalised: trimmed, composed (NFC), Latin digits, `\\n` line ends, no direction controls', async () => {
  const typed = {
    naam: '  Rene\u0301e\u202e ',
    email: ' r@x.example ',
    tel: '\u2066۰۴۳ ٣٢٥\u2069',
    bericht: ' a\r\nb\rc \n',
  }
  expect(await outcome(json(typed))).toEqual({
    naam: 'Renée',
    email: 'r@x.example',
    tel: '043 325',
    bericht: 'a\nb\nc',
  })
})

describe('a refusal names each wrong field:', () => {
  test.each([
    ['nothing filled in', {}, ['naam: required', 'email: required', 'tel: required', 'bericht: required']],
    [
      'blanks and joiners',
      { ...roya, naam: ' \u200b\u200d', bericht: '\n\n' },
      ['naam: required', 'bericht: required'],
    ],
    ['null', { ...roya, tel: null }, ['tel: required']],
    ['an address that is none', { ...roya, email: 'roya@' }, ['email: email']],
    ['a second header in the name', { ...roya, naam: 'Roya\r\nBcc: x@evil.example' }, ['naam: control']],
    ['a second header in the address', { ...roya, email: 'a@b.nl\nBcc:x@y.nl' }, ['email: control']],
    ['a zero byte', { ...roya, bericht: 'a\0b' }, ['bericht: control']],
    ['half a character', { ...roya, bericht: 'a\ud800b' }, ['bericht: control']],
    ['a text too long', { ...roya, bericht: 'x'.repeat(100_000) }, ['bericht: tooLong']],
    [
      'other types',
      { naam: 1, email: {}, tel: ['1'], bericht: true },
      ['naam: type', 'email: type', 'tel: type', 'bericht: type'],
    ],
    [
      'fields that do not exist',
      { ...roya, cc: 'x@evil.example', onderwerp: 'x' },
      ['cc: unknownField', 'onderwerp: unknownField'],
    ],
    [
      'keys that reach for prototypes',
      '{"naam":"a","email":"a@b.nl","tel":"1","bericht":"b","__proto__":{"x":1},"constructor":"c"}',
      ['__proto__: unknownField', 'constructor: unknownField'],
    ],
    ['a list', [roya], ['naam: required', 'email: required', 'tel: required', 'bericht: required']],
    ['a bare text', '"naam"', ['naam: required', 'email: required', 'tel: required', 'bericht: required']],
    ['another type in what stands beside', { ...roya, taal: 5, website: [] }, ['taal: type', 'website: type']],
    [
      'deep nesting',
      `{"naam":${'['.repeat(limits.jsonLevels - 1)}${']'.repeat(limits.jsonLevels - 1)}}`,
      ['naam: type', 'email: required', 'tel: required', 'bericht: required'],
    ],
  ])('%s', async (_, body, problems) => {
    expect(await outcome(json(body))).toEqual(problems)
  })

  test('in a form, a repeated field', async () => {
    expect(await outcome(aPost(urlencoded, `${new URLSearchParams(roya)}&naam=Eve`))).toEqual(['naam: type'])
  })

  test('in a form, a file for a text field', async () => {
    const body = new FormData()
    for (const [name, value] of Object.entries(roya)) body.set(name, value)
    body.set('naam', new Blob(['x']), 'x.txt')
    expect(await outcome(new Request('http://localhost/api/contact', { method: 'POST', body }))).toEqual(['naam: type'])
  })

  test('no more than twenty, and no name longer than a hundred characters', async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${index}${'x'.repeat(150)}`, 'y']))
    const problems = (await outcome(json({ ...roya, ...body }))) as string[]
    expect(problems).toHaveLength(20)
    for (const problem of problems) expect(problem.length).toBeLessThanOrEqual(115)
  })
})

describe('an unreadable body is refused:', () => {
  const bytes = (...values: number[]) => new Uint8Array(values)
  test.each([
    ['broken JSON', json('{"naam": "Roya"'), 'malformed'],
    ['no body', aPost('application/json', null), 'malformed'],
    [
      'the same name twice in JSON',
      json('{"naam":"a","email":"a@b.nl","tel":"1","bericht":"b","naam":"c"}'),
      'malformed',
    ],
    [
      'the same name twice, once escaped',
      json('{"naam":"a","email":"a@b.nl","tel":"\\"","bericht":"b","na\\u0061m":"c"}'),
      'malformed',
    ],
    ['JSON nested too deep', json(`{"naam":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), 'malformed'],
    ['JSON that is not UTF-8', aPost('application/json', bytes(0x22, 0xff, 0x22)), 'malformed'],
    ['a form that is not UTF-8', aPost(urlencoded, bytes(0x6e, 0x3d, 0xe9)), 'malformed'],
    ['a form with an incomplete UTF-8 character', aPost(urlencoded, 'naam=%C3'), 'malformed'],
    ['a form with a broken escape', aPost(urlencoded, 'naam=100%'), 'malformed'],
    ['parts without their boundary', aPost('multipart/form-data', 'x'), 'malformed'],
    [
      'parts that end nowhere',
      aPost('multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="naam"\r\n\r\nRoya'),
      'malformed',
    ],
    ['plain text', aPost('text/plain', JSON.stringify(roya)), 'unsupported_type'],
    ['no type', aPost(undefined, bytes(0x7b, 0x7d)), 'unsupported_type'],
    ['a type that every object has', aPost('constructor', '{}'), 'unsupported_type'],
    ['another alphabet', aPost('application/json; charset=utf-16', '{}'), 'unsupported_type'],
    ['a packed body', aPost('application/json', '{}', { 'Content-Encoding': 'gzip' }), 'unsupported_type'],
    [
      'a body that says it is too large',
      aPost('application/json', 'x', { 'Content-Length': String(limits.contactBodyBytes + 1) }),
      'too_large',
    ],
  ])('%s', async (_, request, code) => {
    expect(await outcome(request)).toBe(code)
  })

  test('a body over the limit, without reading the rest', async () => {
    let read = 0
    const endless = new ReadableStream({
      pull(controller) {
        read += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    expect(await outcome(aPost('application/json', endless))).toBe('too_large')
    expect(read).toBeLessThan(limits.contactBodyBytes * 2)
  })

  test('an incomplete body', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    expect(await outcome(aPost('application/json', broken))).toBe('malformed')
  })
})

describe('besides the message are read', () => {
  test('the language: of the body, else Accept-Language, else Dutch', async () => {
    const localeOf = async (body: object, accepted?: string) =>
      (
        await readContact(
          aPost('application/json', JSON.stringify(body), accepted ? { 'Accept-Language': accepted } : {}),
          ['nl', 'fa'],
        )
      ).locale
    expect(await localeOf({ taal: 'fa' }, 'nl')).toBe('fa')
    expect(await localeOf({}, 'en;q=0.9, fa-IR;q=0.8, nl;q=0.1')).toBe('fa')
    expect(await localeOf({ taal: 'xx' }, 'fa')).toBe('fa')
    expect(await localeOf({}, 'en')).toBe('nl')
    expect(await localeOf({})).toBe('nl')
  })

  test('only a language that the site offers', async () => {
    expect((await readContact(json({ taal: 'fa' }), ['nl'])).locale).toBe('nl')
  })

  test('whether the honeypot was filled in', async () => {
    expect((await readContact(form({ ...roya, website: 'https://x.example' }))).honeypot).toBe(true)
    expect((await readContact(form({ ...roya, website: ' ' }))).honeypot).toBe(false)
    expect((await readContact(form(roya))).honeypot).toBe(false)
  })

  test('the page to return to, on this site only, and from a form only', async () => {
    const pageOf = async (pagina: string) => (await readContact(form({ ...roya, pagina }))).page
    expect(await pageOf('/fa')).toBe('/fa')
    for (const elsewhere of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:x', '/\tx', '']) {
      expect(await pageOf(elsewhere), elsewhere).toBeUndefined()
    }
    expect(await outcome(json({ ...roya, pagina: '/' }))).toEqual(['pagina: unknownField'])
  })
})

test('a form post gets HTML, unless a script asks for JSON', () => {
  const waits = (type: string, accept?: string) => wantsHtml(aPost(type, 'x', accept ? { Accept: accept } : {}))
  expect(waits(urlencoded, 'text/html,application/xhtml+xml,*/*;q=0.8')).toBe(true)
  expect(waits('multipart/form-data; boundary=x')).toBe(true)
  expect(waits(urlencoded, '*/*')).toBe(true)
  expect(waits(urlencoded, 'application/json')).toBe(false)
  expect(waits('application/json', 'text/html')).toBe(false)
  expect(waits('text/plain')).toBe(false)
})

test('a problem has a message, with numbers in the notation of its language', () => {
  const problems = [{ path: 'bericht', key: 'tooLong', limit: 10_000 } as const]
  expect(problemMessages(problems, 'nl')[0]?.message).toBe('Dit veld mag hoogstens 10.000 tekens lang zijn.')
  expect(problemMessages(problems, 'fa')[0]?.message).toContain('۱۰٬۰۰۰')
})

describe('any post', () => {
  const strange = [...'\u202e\u2066\r\n\t\0 \u0301\u200b\u00a0\u2028', '\ud800']
  const usual = [...'Zoë d’Aé 12 ۱۲ سلام \u200c\u0301\u202a\u2069\u00a0👋']
  const written = fc.string({ unit: fc.constantFrom(...usual), maxLength: 45 })
  const anyText = fc.oneof(
    { weight: 6, arbitrary: written },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...usual, ...strange), maxLength: 30 }) },
  )
  const anyAddress = fc.oneof(
    { weight: 6, arbitrary: fc.stringMatching(/^[ \u202a]?[a-z0-9]{1,9}@x[1۱]\.nl\s?$/) },
    { weight: 1, arbitrary: fc.emailAddress() },
    { weight: 1, arbitrary: anyText },
  )
  const message = fc.record({ naam: anyText, email: anyAddress, tel: anyText, bericht: anyText })

  test('is refused with a reason, or is normalised such that normalising it again changes nothing', () => {
    let accepted = 0
    fc.assert(
      fc.property(message, (typed) => {
        const result = contactMessage.safeParse(typed)
        if (!result.success) return
        accepted++
        for (const name of contactFields) {
          const text = result.data[name]
          expect(text).toBe(text.trim().normalize('NFC'))
          expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\r\0]/)
          expect(text.isWellFormed()).toBe(true)
          if (name !== 'bericht') expect(text).not.toMatch(/[\n\u2028\u2029\u0085]/)
        }
        expect(contactMessage.parse(result.data)).toEqual(result.data)
      }),
      { numRuns: 500 },
    )
    // Otherwise the assertions above may never have run.
    expect(accepted).toBeGreaterThan(20)
  })

  test('with JSON of any shape gives a message or a refusal', async () => {
    const anything = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc
        .object({
          key: fc.oneof(
            fc.constantFrom(...contactFields, 'website', 'taal', 'pagina', '__proto__', 'toString'),
            fc.string(),
          ),
          maxDepth: 3,
        })
        .map((value) => JSON.stringify(value)),
      message.map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (body) => void (await outcome(json(body)))),
      { numRuns: 500 },
    )
  })

  test('with any bytes gives a message or a refusal', async () => {
    const type = fc.constantFrom(
      urlencoded,
      'multipart/form-data; boundary=x',
      'multipart/form-data; boundary=',
      'application/json',
    )
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      message.map((value) => new TextEncoder().encode(`${new URLSearchParams(value)}`)),
    )
    await fc.assert(
      fc.asyncProperty(type, body, async (contentType, bytes) => void (await outcome(aPost(contentType, bytes)))),
      { numRuns: 500 },
    )
  })

  test('gives the same message as JSON and as a form', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (typed) => {
        const sound = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.toWellFormed()]))
        expect(await outcome(form(sound))).toEqual(await outcome(json(sound)))
      }),
      { numRuns: 300 },
    )
  })
})
