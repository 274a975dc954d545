import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { constants, deflateRawSync } from 'node:zlib'
import { JSDOM } from 'jsdom'
import { describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { quoteAnswers, quoteForm } from '../support/forms.ts'
import { as, json, password } from '../support/staff.ts'
import { aTestApp } from '../support/test-app.ts'
import { waitUntil } from '../support/wait-until.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF')
/** Its one entry is too short: nothing may look inside. */
const brokenZip = Buffer.concat([
  Buffer.from('504b030414000000080000000000000000000a000000ffffffff0400000061', 'hex'),
  Buffer.from('2e747874', 'latin1'),
  Buffer.alloc(40),
])

/** Deflated zeros, a thousandth of their size: each part ends at a whole byte and refers to none before it. */
const megabyteOfZeros = deflateRawSync(Buffer.alloc(2 ** 20), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
const deflatedZeros = (megabytes: number) =>
  Buffer.concat([...Array<Buffer>(megabytes).fill(megabyteOfZeros), Buffer.from([3, 0])])

/** A zip with one deflated entry, which claims to be small. */
function zipOf(name: string, deflated: Buffer): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt32LE(deflated.length, 14)
  fields.writeUInt32LE(1_000, 18)
  fields.writeUInt16LE(name.length, 22)
  const entry = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), deflated])
  const directory = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(entry.length, 12)
  return Buffer.concat([entry, directory, Buffer.from('PK\x05\x06'), end])
}

async function aSite(database: DatabaseKind) {
  const site = await aTestApp({
    database,
    site(config) {
      const files = { id: 'bijlagen', kind: 'files', label: { nl: 'Bijlagen' } }
      config.forms = [{ ...quoteForm, fields: [...quoteForm.fields, files] }]
    },
  })
  return {
    ...site,
    send: (files: [field: string, content: Uint8Array | string, name: string][], more: Record<string, string> = {}) => {
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...quoteAnswers, ...more }))
        for (const one of [value].flat()) body.append(name, one)
      for (const [field, content, name] of files) body.append(field, new Blob([content as BlobPart]), name)
      return site.request('/api/forms/offerte', { method: 'POST', headers: { Accept: 'application/json' }, body })
    },
    files: () => site.db.selectFrom('message_file').selectAll().orderBy('id').execute(),
    blobs: async () =>
      (await site.db.selectFrom('stored_blob').select('state').execute()).filter(({ state }) => state !== 'released'),
    messages: () => site.db.selectFrom('message').selectAll().execute(),
  }
}

describe.each(databases)('files of a form, on %s', (database) => {
  test('are private downloads behind the right to read messages, and are deleted with the message', async () => {
    const site = await aSite(database)
    const large = Buffer.concat([pdf, Buffer.alloc(300_000)])
    const sent = await site.send([
      ['bijlagen', large, '../../plattegrond "1".PDF'],
      ['bijlagen', brokenZip, 'alles.docx'],
    ])
    expect([sent.status, await sent.clone().text()]).toEqual([201, expect.anything()])
    const admin = await as(site, 'beheerder')
    const { data } = await (await admin.get('/api/messages?form=offerte')).json()
    const { files, answers, id } = await (await admin.get(`/api/messages/${data[0].id}`)).json()
    expect(files).toMatchObject([
      {
        field: 'bijlagen',
        type: 'application/pdf',
        bytes: large.length,
        name: expect.stringMatching(/^[^/\\"]+\.pdf$/i),
      },
      { field: 'bijlagen', type: 'application/zip', name: 'alles.zip' },
    ])
    expect(answers.at(-1)).toMatchObject({ label: 'Bijlagen', kind: 'files' })

    const path = `/api/messages/${id}/files/${files[0].id}`
    const found = await admin.get(path)
    expect(found.status).toBe(200)
    expect(Buffer.from(await found.arrayBuffer()).equals(large)).toBe(true)
    const opened = vi.spyOn(site.app.context().uploads.storage, 'read')
    const head = await admin.request(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(large.length)])
    expect((await opened.mock.results[0]?.value)?.destroyed, 'a file that is not read stays open').toBe(true)
    expect(found.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(found.headers.get('cache-control')).toBe('private, no-store')
    expect(found.headers.get('content-security-policy')).toContain('sandbox')
    expect(found.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await site.request(path)).status).toBe(401)
    expect((await (await as(site, 'redacteur')).get(path)).status).toBe(403)
    expect((await admin.get(`/api/messages/${id}/files/999`)).status).toBe(404)
    expect((await (await admin.get('/api/files')).json()).data, 'the media library').toEqual([])

    expect((await admin.delete(`/api/messages/${id}`)).status).toBe(204)
    expect(await site.files()).toEqual([])
    expect(await site.blobs()).toEqual([])
  })

  test('are accepted when their field was removed while a visitor filled the form in', async () => {
    const site = await aSite(database)
    const admin = await as(site, 'beheerder')
    const { version } = await (await admin.get('/api/config')).json()
    expect((await admin.put('/api/config', { version, config: { forms: [quoteForm] } })).status).toBe(200)
    const sent = await site.send([['bijlagen', Buffer.concat([brokenZip, Buffer.alloc(2_000_000)]), 'alles.docx']])
    expect([sent.status, await sent.clone().text()]).toEqual([201, expect.anything()])
    expect(await site.files()).toMatchObject([{ field: 'bijlagen', bytes: brokenZip.length + 2_000_000 }])
    const other = await site.send([['iets-anders', pdf, 'plattegrond.pdf']])
    expect(other.status).toBe(422)
  })

  test('are in the privacy export, in both formats, and a lost file is empty there', async () => {
    const site = await aSite(database)
    const large = Buffer.concat([brokenZip, Buffer.alloc(1_000_003, 'etalage')])
    await site.send([
      ['bijlagen', pdf, 'plan <b>"1"</b>.pdf'],
      ['bijlagen', large, 'foto’s.zip'],
    ])
    const admin = await as(site, 'beheerder')
    const exported = (format: string) =>
      admin.post('/api/privacy/export', { email: 'roya@karimi.example', password, format })

    const response = await exported('json')
    expect(response.headers.get('content-type')).toBe('application/json')
    const pieces: Uint8Array[] = []
    for await (const piece of response.body ?? []) pieces.push(piece)
    expect(Math.max(...pieces.map(({ length }) => length)), 'streamed').toBeLessThan(200_000)
    const [message] = JSON.parse(Buffer.concat(pieces).toString()).messages
    const files: { name: string; content: string }[] = message.files
    expect(files.map(({ content }) => Buffer.from(content, 'base64').equals(pdf))).toEqual([true, false])
    expect(Buffer.from(files[1]?.content ?? '', 'base64').equals(large)).toBe(true)

    const { document } = new JSDOM(await (await exported('html')).text()).window
    const links = [...document.querySelectorAll('a')]
    expect(links.map((link) => [link.download, link.textContent])).toEqual(files.map(({ name }) => [name, 'Opslaan']))
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      files.map(({ content }) => `data:application/octet-stream;base64,${content}`),
    )
    expect(document.querySelector('b')).toBeNull()

    const blobs = await site.db.selectFrom('message_file').select('blob_id').orderBy('id').execute()
    await rm(join(site.settings.dataDir, 'files', blobs[1]?.blob_id ?? ''), { recursive: true })
    const [{ files: left }] = (await (await exported('json')).json()).messages
    expect(left.map(({ content }: { content: string }) => content)).toEqual([pdf.toString('base64'), ''])
  })

  test('the same answers with the same files are stored once, and the repeated files leave nothing behind', async () => {
    const site = await aSite(database)
    const ids = []
    for (const content of [pdf, pdf, Buffer.concat([pdf, pdf])]) {
      ids.push((await (await site.send([['bijlagen', content, 'plan.pdf']])).json()).id)
    }
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    expect(await site.files()).toHaveLength(2)
    expect(await site.blobs()).toHaveLength(2)
  })

  test('a file name is one short line without control characters, in the stored answer and in the list of files', async () => {
    const site = await aSite(database)
    const names = ['a\u0000b.pdf', 'plan\nTotaal: 0\rx.pdf', 'factuur\u202egpj.pdf', `${'n'.repeat(3_000)}.pdf`]
    const clean = ['a b.pdf', 'plan Totaal 0 x.pdf', 'factuur gpj.pdf', `${'n'.repeat(116)}.pdf`]
    const head = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"`
    const body = [
      ...Object.entries(quoteAnswers).flatMap(([name, value]) =>
        [value].flat().map((one) => `${head(name)}\r\n\r\n${one}\r\n`),
      ),
      ...names.map((name) => `${head('bijlagen')}; filename="${name}"\r\n\r\n${pdf.toString()}\r\n`),
      '--x--\r\n',
    ].join('')
    const headers = { Accept: 'application/json', 'Content-Type': 'multipart/form-data; boundary=x' }
    expect((await site.request('/api/forms/offerte', { method: 'POST', headers, body })).status).toBe(201)
    const [message] = await site.messages()
    expect(
      JSON.parse(message?.answers ?? '')
        .at(-1)
        .text.split('\n'),
    ).toEqual(clean)
    expect(message?.bericht).toMatch(new RegExp(`Bijlagen:\n${clean.join('\n')}$`))
    expect((await site.files()).map(({ name }) => name)).toEqual(clean)
  })

  test('are not checked once their address has sent as many messages as are accepted', async () => {
    const site = await aSite(database)
    expect((await site.send([['bijlagen', pdf, 'plan.pdf']])).status).toBe(201)
    const [{ id: _, search_text: __, ...message } = {} as never] = await site.messages()
    await site.db
      .insertInto('message')
      .values(Array.from({ length: 19 }, () => message))
      .execute()
    // A file that cannot be accepted would be refused with 422.
    const refused = await site.send([['bijlagen', 'MZ'.padEnd(2_000, 'x'), 'virus.pdf']])
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
  })

  test('are not stored with spam, which gets the same answer and no email, and keeps their names', async () => {
    const site = await aSite(database)
    const sent = await site.send([['bijlagen', pdf, 'casino.pdf']], { website: 'https://casino.example' })
    expect([sent.status, await sent.json()]).toMatchObject([201, { title: quoteForm.thanks.title.nl }])
    expect(await site.db.selectFrom('outbox').select('id').execute()).toEqual([])
    const [message] = await site.messages()
    expect(message?.spam_reason).toBe('honeypot')
    expect([message?.folder, JSON.parse(message?.answers ?? '').at(-1).text]).toEqual(['spam', 'casino.pdf'])
    expect(await site.files()).toEqual([])
    expect(await site.blobs()).toEqual([])
  })

  test('are limited in total size, for an address and for all', async () => {
    const site = await aSite(database)
    const send = (naam: string) => site.send([['bijlagen', pdf, 'plan.pdf']], { naam })
    const first = { bytes: 100_000_000 - pdf.length }
    expect((await send('Roya')).status).toBe(201)
    await site.db.updateTable('message_file').set(first).execute()
    expect((await send('Daan')).status, 'up to the limit').toBe(201)
    const refused = await send('Sanne')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)

    await site.db.updateTable('message').set({ address_key: 'another' }).execute()
    expect((await send('Sanne')).status, 'of another address').toBe(201)
    await site.db.updateTable('message_file').set({ bytes: 250_000_000 }).where('name', '=', 'plan.pdf').execute()
    await site.db.updateTable('message').set({ address_key: 'another' }).execute()
    expect((await send('Kim')).status, 'of all').toBe(429)
    expect(await site.files()).toHaveLength(3)
    expect((await site.blobs()).length, 'what was refused is not stored').toBe(3)
  })
})

// They are examined before the database is asked, and their content is in files.
describe('files of a form', () => {
  test('are refused when they are too many, too large, empty, of another type or in another field, and nothing is stored', async () => {
    const site = await aSite('sqlite')
    const problemsOf = async (files: Parameters<typeof site.send>[0], more?: Record<string, string>) => {
      const response = await site.send(files, more)
      const { errors = [] } = await response.json()
      return [response.status, ...errors.map(({ path }: { path: string }) => path)]
    }
    const many = Array.from({ length: 50 }, (_, at): [string, Uint8Array, string] => ['bijlagen', pdf, `${at}.pdf`])
    expect(await problemsOf(many)).toEqual([422, 'bijlagen'])
    expect(await problemsOf([['bijlagen', '', 'leeg.pdf']])).toEqual([422, 'bijlagen'])
    expect(await problemsOf([['bijlagen', 'MZ'.padEnd(2_000, 'x'), 'virus.pdf']])).toEqual([422, 'bijlagen'])
    expect(await problemsOf([['bijlagen', '<html><script>alert(1)</script>', 'pagina.jpg']])).toEqual([422, 'bijlagen'])
    expect(await problemsOf([['toelichting', pdf, 'plan.pdf']])).toEqual([422, 'toelichting'])
    expect(await problemsOf([['onbekend', pdf, 'plan.pdf']])).toEqual([422, 'onbekend'])
    expect(await problemsOf([], { bijlagen: '/etc/passwd' })).toEqual([422, 'bijlagen'])
    expect(await problemsOf([['bijlagen', new Uint8Array(27_000_000), 'groot.zip']])).toEqual([413])
    expect(await site.messages()).toEqual([])
    expect(await site.files()).toEqual([])
    expect(await site.blobs()).toEqual([])
  })

  test('a polyglot file gets the type and ending of its content', async () => {
    const site = await aSite('sqlite')
    const gif = Buffer.concat([
      Buffer.from('47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b', 'hex'),
      Buffer.from('<script>alert(1)</script>'),
    ])
    expect((await site.send([['bijlagen', gif, 'foto.html']])).status).toBe(201)
    expect(await site.files()).toMatchObject([{ type: 'image/gif', name: 'foto.gif' }])
  })

  test('a zip bomb is stored as it is, or refused by its content at its field, and never unpacked', async () => {
    const site = await aSite('sqlite')
    const bombs = [
      zipOf('alles.txt', deflatedZeros(4_096)),
      // The entry by which the type of an office file is known.
      zipOf('[Content_Types].xml', deflatedZeros(900)),
    ]
    const refused = [
      zipOf('META-INF/MANIFEST.MF', deflatedZeros(900)),
      Buffer.concat([Buffer.from('1f8b08000000000000ff', 'hex'), deflatedZeros(900), Buffer.alloc(8)]),
    ]
    const before = { cpu: process.cpuUsage(), memory: process.resourceUsage().maxRSS }
    const sent = await site.send([
      ['bijlagen', bombs[0] as Buffer, 'alles.zip'],
      ['bijlagen', bombs[1] as Buffer, 'rapport.docx'],
    ])
    expect([sent.status, await sent.clone().text()]).toEqual([201, expect.anything()])
    for (const content of refused) {
      const response = await site.send([['bijlagen', content, 'alles.zip']])
      expect([response.status, (await response.json()).errors]).toEqual([
        422,
        [{ path: 'bijlagen', message: expect.stringContaining('Deze soort kan hier niet.') }],
      ])
    }
    const { user, system } = process.cpuUsage(before.cpu)
    expect((user + system) / 1_000_000, 'seconds of the processor').toBeLessThan(10)
    expect(process.resourceUsage().maxRSS - before.memory, 'kilobytes').toBeLessThan(400_000)

    expect(await site.files()).toMatchObject([
      { type: 'application/zip', name: 'alles.zip' },
      { type: 'application/zip', name: 'rapport.zip' },
    ])
    const admin = await as(site, 'beheerder')
    const { data } = await (await admin.get('/api/messages?form=offerte')).json()
    const { id, files } = await (await admin.get(`/api/messages/${data[0].id}`)).json()
    for (const [index, file] of files.entries()) {
      const found = await admin.get(`/api/messages/${id}/files/${file.id}`)
      expect(Buffer.from(await found.arrayBuffer()).equals(bombs[index] as Buffer)).toBe(true)
    }
  })
})

test('the default quote form accepts its answers and files', async () => {
  const site = await aTestApp()
  const send = (more: Record<string, string>) => {
    const body = new FormData()
    const soort = 'Een bestaande website vernieuwen'
    const answers = { soort, toelichting: 'In twee talen', naam: 'Roya', email: 'roya@karimi.example', ...more }
    for (const [name, value] of Object.entries(answers)) body.append(name, value)
    body.append('bijlagen', new Blob([pdf]), 'huisstijl.pdf')
    return site.request('/api/forms/offerte', { method: 'POST', headers: { Accept: 'application/json' }, body })
  }
  const asked = await send({})
  expect([asked.status, (await asked.json()).errors.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['adres-nu'],
  ])
  expect((await send({ 'adres-nu': 'karimi.example' })).status).toBe(201)
  const admin = await as(site, 'beheerder')
  const { data } = await (await admin.get('/api/messages?form=offerte')).json()
  const { files, answers } = await (await admin.get(`/api/messages/${data[0].id}`)).json()
  expect(files).toMatchObject([{ field: 'bijlagen', name: 'huisstijl.pdf', type: 'application/pdf' }])
  expect(answers).toContainEqual(expect.objectContaining({ field: 'adres-nu', text: 'karimi.example' }))
})

test('simultaneous posts are limited for each address, and a refused one is not read', async () => {
  const site = await aSite('sqlite')
  let pulled = 0
  const post = (body: ReadableStream<Uint8Array>) =>
    site.request('/api/forms/offerte', {
      method: 'POST',
      headers: { Accept: 'text/html', 'Content-Type': 'multipart/form-data; boundary=x' },
      body,
      duplex: 'half',
    } as RequestInit)
  const slow: ReadableStreamDefaultController<Uint8Array>[] = []
  const open = Array.from({ length: 5 }, () => post(new ReadableStream({ start: (one) => void slow.push(one) })))
  const refused = await post(
    new ReadableStream({
      pull(controller) {
        pulled += 100_000
        if (pulled > 20_000_000) controller.close()
        else controller.enqueue(new Uint8Array(100_000))
      },
    }),
  )
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await refused.text()).toContain('name="naam"')
  expect(pulled).toBeLessThan(2_000_000)
  for (const one of slow) one.close()
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
  expect((await site.send([['bijlagen', pdf, 'plan.pdf']])).status).toBe(201)
})

test('slow posts, with files or without, do not keep others from sending a form without files', async () => {
  const withFiles = {
    ...quoteForm,
    id: 'bestanden',
    fields: [...quoteForm.fields, { id: 'bijlagen', kind: 'files', label: { nl: 'Bijlagen' } }],
  }
  const site = await aTestApp({ site: (config) => Object.assign(config, { forms: [quoteForm, withFiles] }) })
  const slow: ReadableStreamDefaultController<Uint8Array>[] = []
  const post = (form: string, type: string) =>
    site.request(`/api/forms/${form}`, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': type },
      // Without a buffer, so that a body is in `slow` once it is read.
      body: new ReadableStream({ pull: (one) => new Promise(() => slow.push(one)) }, { highWaterMark: 0 }),
      duplex: 'half',
    } as RequestInit)
  const count = limits.formPostsAtOncePerAddress
  const open = Array.from({ length: count }, () => [
    post('bestanden', 'multipart/form-data; boundary=x'),
    post('offerte', 'application/json'),
  ]).flat()
  await waitUntil(() => slow.length === 2 * count, 'all posts to be read')
  expect((await post('bestanden', 'multipart/form-data; boundary=x')).status).toBe(429)
  expect((await site.request('/api/forms/offerte', json('POST', quoteAnswers))).status).toBe(201)
  for (const one of slow) one.error(new Error('disconnected'))
  expect(new Set((await Promise.all(open)).map(({ status }) => status))).toEqual(new Set([400]))
})

test('a body that breaks off or is no form is refused with a clear answer', async () => {
  const site = await aSite('sqlite')
  for (const [type, body] of [
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="naam"\r\n\r\nRoya'],
    ['multipart/form-data; boundary=x', 'niets'],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Type: text/plain\r\n\r\nRoya\r\n--x--'],
    ['multipart/form-data', '--x--'],
    ['multipart/form-data; boundary=x', ''],
  ]) {
    const response = await site.request('/api/forms/offerte', {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': type as string },
      body: body as string,
    })
    expect([body, response.status]).toEqual([body, 400])
  }
})

test('as many files as a form accepts are stored whole, and the program logs no warning', async () => {
  const site = await aSite('sqlite')
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  try {
    const file = (number: number) => Buffer.concat([pdf, Buffer.alloc(number * 30_000, `${number}`)])
    const posted = Array.from({ length: limits.attachments }, (_, number) => file(number))
    const sent = await site.send(posted.map((content, number) => ['bijlagen', content, `${number}.pdf`]))
    expect(sent.status).toBe(201)
    expect((await site.files()).map(({ bytes }) => bytes)).toEqual(posted.map(({ length }) => length))
    // A warning is emitted after the code that caused it.
    await nextTurn()
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', note)
  }
})
