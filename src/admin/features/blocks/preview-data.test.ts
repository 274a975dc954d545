import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { previewDataRequest } from '../../../contract/preview-data.ts'
import { createQueryClient } from '../../admin.tsx'
import { previewDataQuery, siteTextsQuery } from './preview-data.ts'

/** Answers with this site. @returns the bodies of the requests */
function answerWith(site: object) {
  const requests: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    requests.push(JSON.parse(String(body)))
    return Response.json({ site, pictures: {} })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return requests
}

test('a page with more images than one request for preview data may name still sends a valid request', async () => {
  const requests = answerWith({})
  const images = Array.from({ length: limits.bulkIdsMax + 1 }, (_, index) => ({
    type: 'image',
    src: `/files/${index.toString(16).padStart(32, '0')}/foto.jpg`,
  }))
  await createQueryClient().fetchQuery(previewDataQuery(images))
  expect(requests).toHaveLength(1)
  for (const request of requests) expect(previewDataRequest.safeParse(request).error).toBeUndefined()
})

test('blocks in the editor have the texts of the site, and those of the fallback language where the site has none', async () => {
  answerWith({
    fallbackLocales: ['en'],
    texts: { de: { 'contact.send': 'Senden' }, en: { 'site.no': 'Nope' } },
  })
  const t = await createQueryClient().fetchQuery(siteTextsQuery('de'))
  expect([t('contact.send'), t('site.no'), t('site.yes')]).toEqual(['Senden', 'Nope', 'Yes'])
})
