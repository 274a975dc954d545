import { describe, expect, test } from 'vitest'
import { aTempFolder } from '../support/databases.ts'
import { aProgram, runCommand } from '../support/program.ts'

const signIn = (url: string, identifier: string, password: string) =>
  fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier, password }),
  })

test('without mail the operator creates an administrator and links, beside the running program', async () => {
  const site = await aProgram()
  const as = { DATA_DIR: site.dataDir, PORT: String(site.port) }

  const made = await runCommand(as, ['create-admin', 'Bente@Example.nl', 'Bente', 'de', 'Beheerder'])
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('bente@example.nl is an administrator now.')
  const link = /http:\S+/.exec(made.out)?.[0] ?? ''
  expect(link).toMatch(new RegExp(`^http://localhost:${site.port}/wachtwoord\\?token=`))
  const page = await fetch(link)
  expect(page.status).toBe(200)
  const token = new URL(link).searchParams.get('token') ?? ''
  const fields = new URLSearchParams({ token, password: 'geheim-123', repeat: 'geheim-123' })
  await fetch(`${site.url}/wachtwoord`, { method: 'POST', body: fields, redirect: 'manual' })
  expect((await signIn(site.url, 'bente@example.nl', 'geheim-123')).status).toBe(200)

  const again = await runCommand(as, ['create-admin', 'bente@example.nl', '--password-stdin'], 'anders-456\n')
  expect(again.out).toContain('was known already')
  expect(again.out).not.toContain('token=')
  expect((await signIn(site.url, 'bente@example.nl', 'anders-456')).status).toBe(200)

  const other = await runCommand(as, ['password-link', 'bente@example.nl'])
  expect((await fetch(other.out.trim())).status).toBe(200)
  expect(site.lines.map((line) => JSON.stringify(line)).join()).not.toMatch(/geheim-123|anders-456/)
})

describe('an invalid command is reported, and changes nothing', () => {
  test.each([
    [['create-admin'], '', 2, 'Usage: '],
    [['create-admin', 'bente'], '', 1, 'bente is no e-mail address.'],
    [['create-admin', 'b@example.nl', '--password-stdin'], 'kort\n', 1, 'at least 6'],
    [['create-admin', 'b@example.nl', '--pasword'], '', 2, '--pasword'],
    [['password-link'], '', 2, 'Usage: '],
    [['two-factor-off'], '', 2, 'Usage: '],
  ])('%j', async (args, input, code, words) => {
    const answer = await runCommand({ DATA_DIR: aTempFolder() }, args, input)
    expect({ code: answer.code, out: answer.out }).toEqual({ code, out: '' })
    expect(answer.err).toContain(words)
  })
})
