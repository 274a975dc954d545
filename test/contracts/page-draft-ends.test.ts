import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { aParagraph, pageIn, publishedPage } from '../support/pages.ts'
import { as } from '../support/staff.ts'
import { aTab, storedDraft } from '../support/tabs.ts'
import { aTestApp } from '../support/test-app.ts'

const whole = { showIf: 'always', anchor: '' }
const body = (a: string, b: string) => [aParagraph(a, { id: 'a', ...whole }), aParagraph(b, { id: 'b', ...whole })]

describe.each(databases)('what another tab of the same person wrote meanwhile, on %s,', (database) => {
  const twoTabs = async () => {
    const site = await aTestApp({ database })
    const bente = await as(site, 'beheerder')
    const id = await publishedPage(bente, { title: 'Werk', body: body('Een', 'Twee') })
    const { text, version } = await pageIn(bente, id)
    const [one, other] = [aTab(bente, id, 'tabblad-1'), aTab(bente, id, 'tabblad-2')]
    const endOf = (tab: typeof one) => ({ editor: tab.name, number: tab.number(), knownNumber: tab.known })
    const save = (tab: typeof one, changes: object) =>
      bente.put(`/api/pages/${id}/nl`, { text: { ...text, ...changes }, version, tab: endOf(tab) })
    const discard = (tab: typeof one) => {
      const { editor, number, knownNumber } = endOf(tab)
      return bente.delete(`/api/pages/${id}/nl/draft?editor=${editor}&number=${number}&knownNumber=${knownNumber}`)
    }
    const isGone = async () => (await bente.get(`/api/pages/${id}/nl/draft`)).status === 404
    return { bente, id, text, one, other, save, discard, isGone }
  }

  test('stays when the draft is thrown away, with what it was joined with, and is offered again', async () => {
    const { bente, id, text, one, other, discard, isGone } = await twoTabs()
    await one.told({ ...text, title: 'Weg' })
    const { number } = await other.told({ ...text, body: body('Een', 'TWEE') })
    expect((await discard(one)).status).toBe(204)
    expect((await storedDraft(bente, id)).body).toEqual(body('Een', 'TWEE'))
    expect((await pageIn(bente, id)).draft?.number).toBe(number)

    // What was thrown away does not come back with what is typed next.
    one.known = 0
    expect((await one.told({ ...text, seoTitle: 'Zoek' })).merged).toMatchObject({
      title: 'Werk',
      seoTitle: 'Zoek',
      body: body('Een', 'TWEE'),
    })
    other.known = (await pageIn(bente, id)).draft?.number ?? 0
    expect((await discard(other)).status).toBe(204)
    expect(await isGone()).toBe(true)
    expect((await discard(one)).status).toBe(404)
  })

  test('stays when the page is saved, and goes when it says the same', async () => {
    const { bente, id, text, one, other, save, isGone } = await twoTabs()
    await one.told({ ...text, title: 'Nieuw' })
    await other.told({ ...text, body: body('Een', 'TWEE') })
    expect((await save(one, { title: 'Nieuw' })).status).toBe(200)
    expect(await storedDraft(bente, id)).toMatchObject({ title: 'Nieuw', body: body('Een', 'TWEE') })
    const { version, text: now } = await pageIn(bente, id)
    const tab = { editor: 'tabblad-1', number: 1, knownNumber: 0 }
    const both = { ...now, body: body('Een', 'TWEE') }
    expect((await bente.put(`/api/pages/${id}/nl`, { text: both, version, tab })).status).toBe(200)
    expect(await isGone()).toBe(true)
  })

  test('stays also for a tab that wrote no draft itself', async () => {
    const { bente, id, text, one, other, save, discard, isGone } = await twoTabs()
    await other.told({ ...text, title: 'Van het andere' })
    expect((await save(one, { seoTitle: 'Zoek' })).status).toBe(200)
    expect((await storedDraft(bente, id)).title).toBe('Van het andere')
    expect((await discard(one)).status).toBe(204)
    expect((await storedDraft(bente, id)).title).toBe('Van het andere')
    one.known = other.known
    expect((await discard(one)).status).toBe(204)
    expect(await isGone()).toBe(true)
  })

  test('is not looked for in a draft that is over, nor is what this tab wrote itself and was not told of', async () => {
    const { text, one, other, discard, isGone } = await twoTabs()
    await other.told({ ...text, title: 'Eerst' })
    expect((await discard(other)).status).toBe(204)
    await one.save({ ...text, title: 'Daarna' })
    expect((await discard(one)).status).toBe(204)
    expect(await isGone()).toBe(true)
  })
})
