import { createRoute } from '@hono/zod-openapi'
import {
  changedConfiguration,
  checkedFile,
  configRevision,
  configuration,
  fileReport,
  importedFile,
  restoredConfiguration,
  revisionWithConfig,
} from '../contract/configuration.ts'
import { idParameter, listOf, listQuery } from '../contract/list.ts'
import {
  changeConfiguration,
  checkFile,
  importFile,
  restoreRevision,
} from '../domain/configuration/change-configuration.ts'
import { findRevisions, showRevision } from '../domain/configuration/find-revisions.ts'
import { exportConfiguration, showConfiguration } from '../domain/configuration/show-configuration.ts'
import { createApi, json, refused } from '../http/api.ts'

const write = { rights: ['config.write'] } as const
const stale = { 409: refused('Somebody saved meanwhile; `current` is what stands now') }
const revisionQuery = listQuery(['id']).pick({ page: true, pageSize: true })

/** `/config`: what the site says of itself, every earlier state of it, and the file. */
export const configApi = () => createApi().route('/', configurationApi()).route('/', revisionsApi())

const configurationApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/config',
        ...write,
        summary: 'The configuration in force',
        responses: { 200: json(configuration, 'All of it but the first pages') },
      }),
      async (c) => c.json(await showConfiguration(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/config',
        ...write,
        summary: 'Change the configuration',
        description:
          'Parts that are left out stay. It is in force on every copy of the program within a second. What is wrong is named at its place in the configuration, like `palette.primary`.',
        request: { body: { required: true, ...json(changedConfiguration, 'The parts that are to be different') } },
        responses: { 200: json(configuration, 'What stands now'), ...stale },
      }),
      async (c) => c.json(await changeConfiguration(c.var.ctx, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/config/export',
        ...write,
        summary: 'The configuration as a file',
        description: 'Version 1.2, the first pages included; `npm run cli config import` reads it too.',
        responses: {
          200: {
            description: 'The file',
            content: { 'application/json': { schema: { type: 'object' } as object } },
          },
        },
      }),
      async (c) => {
        const { version, text } = await exportConfiguration(c.var.ctx)
        const name = `site.config.${version}.json`
        // To the letter, and not made of what was parsed: a file that was imported comes out as it went in.
        return c.body(text, 200, {
          'Content-Type': 'application/json',
          'Content-Disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        }) as never
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/config/check',
        ...write,
        summary: 'What a file would put in force',
        description: 'Of this version or an older one. Nothing is changed.',
        request: { body: { required: true, ...json(checkedFile, 'The file, as text') } },
        responses: { 200: json(fileReport, 'The parts as they would be') },
      }),
      async (c) => c.json(await checkFile(c.var.ctx, c.req.valid('json').file), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/config/import',
        ...write,
        summary: 'Put a file in force',
        request: { body: { required: true, ...json(importedFile, 'The file, as text') } },
        responses: { 200: json(configuration, 'What stands now'), ...stale },
      }),
      async (c) => c.json(await importFile(c.var.ctx, c.req.valid('json')), 200),
    )

const revisionsApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/config/revisions',
        ...write,
        summary: 'List what was put in force',
        description: 'The newest first.',
        request: { query: revisionQuery },
        responses: { 200: json(listOf(configRevision), 'One page') },
      }),
      async (c) => c.json(await findRevisions(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/config/revisions/{id}',
        ...write,
        summary: 'One revision, and what stood before it',
        request: { params: idParameter },
        responses: { 200: json(revisionWithConfig, 'Both configurations') },
      }),
      async (c) => c.json(await showRevision(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/config/revisions/{id}/restore',
        ...write,
        summary: 'Put a revision in force again',
        description: 'As a new revision; the first pages stay what they are.',
        request: {
          params: idParameter,
          body: { required: true, ...json(restoredConfiguration, 'The version that one has seen') },
        },
        responses: { 200: json(configuration, 'What stands now'), ...stale },
      }),
      async (c) => c.json(await restoreRevision(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
