import { previewData, previewDataQuery } from '../contract/preview-data.ts'
import { getPreviewData } from '../domain/pages/get-preview-data.ts'
import { createApi, createRoute, json } from '../http/api.ts'

/** `POST /scene`. It writes nothing; it is a POST because the images of a page do not fit in a URL. */
export const previewDataApi = () =>
  createApi().openapi(
    createRoute({
      method: 'post',
      path: '/scene',
      rights: ['pages.write', 'config.write'],
      summary: 'The data for previews of blocks',
      description: 'The public part of the configuration, and the requested images. Nothing is changed.',
      request: { body: { required: true, ...json(previewDataQuery, 'The images in the blocks') } },
      responses: { 200: json(previewData, 'The data that blocks are rendered with') },
    }),
    async (c) => c.json(await getPreviewData(c.var.ctx, c.req.valid('json')), 200),
  )
