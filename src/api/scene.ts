import { createRoute } from '@hono/zod-openapi'
import { scene, sceneQuery } from '../contract/scene.ts'
import { showScene } from '../domain/pages/show-scene.ts'
import { createApi, json } from '../http/api.ts'

/** `POST /scene`: it writes nothing, but the pictures of a page are more than an address can hold. */
export const sceneApi = () =>
  createApi().openapi(
    createRoute({
      method: 'post',
      path: '/scene',
      rights: ['pages.write', 'config.write'],
      summary: 'What blocks look at while they are edited',
      description: 'Of the configuration what visitors see, and the pictures that are asked for. Nothing is changed.',
      request: { body: { required: true, ...json(sceneQuery, 'The pictures that stand in the blocks') } },
      responses: { 200: json(scene, 'What blocks are drawn with') },
    }),
    async (c) => c.json(await showScene(c.var.ctx, c.req.valid('json')), 200),
  )
