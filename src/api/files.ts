import { Readable } from 'node:stream'
import { createRoute } from '@hono/zod-openapi'
import {
  changedFile,
  file,
  fileChoices,
  fileQuery,
  fileWithPlaces,
  replaceQuery,
  uploadedFile,
  uploadQuery,
  wholeQuery,
} from '../contract/files.ts'
import { idParameter, listOf } from '../contract/list.ts'
import { placesInConfiguration } from '../domain/configuration/places.ts'
import { changeFile } from '../domain/files/change-file.ts'
import { deleteFile } from '../domain/files/delete-file.ts'
import { drawAgain } from '../domain/files/draw-again.ts'
import { readWhole } from '../domain/files/find-content.ts'
import { findFiles, getFile, listFileChoices } from '../domain/files/find-files.ts'
import type { FindPlaces } from '../domain/files/places.ts'
import { replaceFile } from '../domain/files/replace-file.ts'
import { uploadFile } from '../domain/files/upload-file.ts'
import { placesInPages } from '../domain/pages/places.ts'
import { createApi, json, refused } from '../http/api.ts'

const read = { rights: ['files.write', 'pages.write'] } as const
const write = { rights: ['files.write'] } as const

/** All that a file can stand in. */
const places: FindPlaces[] = [placesInConfiguration, placesInPages]

/** The body is the file itself, so that it can be written down as fast as it comes. */
const bytes = {
  body: {
    required: true,
    description: 'The file itself, whatever its type: that is found out from its content.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } as object } },
  },
}
const refusals = {
  400: refused('It broke off'),
  413: refused('Larger than may be; the limit is named at `file`'),
  415: refused('A type that is not taken'),
}

/** Two parts, for a chain of more calls than this is slow to type. */
export const filesApi = () => createApi().route('/', manyFilesApi()).route('/', oneFileApi())

const manyFilesApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/files',
        ...read,
        summary: 'List files',
        description: 'The newest first. `search` looks at names, folders and descriptions; every word must be found.',
        request: { query: fileQuery },
        responses: { 200: json(listOf(file), 'One page') },
      }),
      async (c) => c.json(await findFiles(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/files/choices',
        ...read,
        summary: 'Folders, and what one upload may hold',
        responses: { 200: json(fileChoices, 'The folders that have files, and the limits') },
      }),
      async (c) => c.json(await listFileChoices(c.var.ctx), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/files',
        ...write,
        summary: 'Upload a file',
        description:
          'Content that is there already is not stored twice: the answer is the file that has it, with `already`. The widths of a picture are made afterwards; until then its `state` is `waiting`.',
        request: { query: uploadQuery, ...bytes },
        responses: { 201: json(uploadedFile, 'Added, or there already'), ...refusals },
      }),
      async (c) => {
        const made = await uploadFile(c.var.ctx, { ...c.req.valid('query'), ...bodyOf(c.req.raw) })
        return c.json(made, 201, { Location: `/api/files/${made.id}` })
      },
    )

const oneFileApi = () =>
  createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/files/{id}',
        ...read,
        summary: 'One file, and where it stands',
        request: { params: idParameter },
        responses: { 200: json(fileWithPlaces, 'The file') },
      }),
      async (c) => c.json(await getFile(c.var.ctx, c.req.valid('param').id, places), 200),
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/files/{id}/whole',
        ...read,
        summary: 'All of a cropped picture',
        description: 'For who changes the crop. `of` says which crop is shown beside it, and changes nothing.',
        request: { params: idParameter, query: wholeQuery },
        responses: {
          200: {
            description: 'The picture, at most 1280 pixels wide',
            content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      }),
      async (c) => {
        const stored = await readWhole(c.var.ctx, c.req.valid('param').id)
        return c.body(Readable.toWeb(stored) as ReadableStream, 200, {
          'Content-Type': 'image/webp',
          'Cache-Control': 'private, max-age=3600',
        })
      },
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/files/{id}',
        ...write,
        summary: 'Change what is said of a file',
        description:
          'What is left out stays. The name keeps the ending of what the file is. Another `crop` makes the widths anew.',
        request: { params: idParameter, body: { required: true, ...json(changedFile, 'What is to be different') } },
        responses: {
          200: json(file, 'Changed'),
          409: refused('Somebody saved meanwhile; `current` is what stands now'),
        },
      }),
      async (c) => c.json(await changeFile(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/files/{id}/content',
        ...write,
        summary: 'Replace a file',
        description: 'It stays where it stands, and its old addresses lead to it. A picture is replaced by a picture.',
        request: { params: idParameter, query: replaceQuery, ...bytes },
        responses: {
          200: json(file, 'Replaced'),
          409: refused('Somebody saved meanwhile; `current` is what stands now'),
          ...refusals,
        },
      }),
      async (c) => {
        const input = { ...c.req.valid('query'), ...bodyOf(c.req.raw) }
        return c.json(await replaceFile(c.var.ctx, c.req.valid('param').id, input), 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/files/{id}/pictures',
        ...write,
        summary: 'Make the widths of a picture once more that could not be made',
        request: { params: idParameter },
        responses: { 200: json(file, 'They are being made, or are there') },
      }),
      async (c) => c.json(await drawAgain(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      createRoute({
        method: 'delete',
        path: '/files/{id}',
        ...write,
        summary: 'Delete a file',
        request: { params: idParameter },
        responses: {
          204: { description: 'Gone' },
          409: refused('It is in use (`file_in_use`); `current.places` says where'),
        },
      }),
      async (c) => {
        await deleteFile(c.var.ctx, c.req.valid('param').id, places)
        return c.body(null, 204)
      },
    )

function bodyOf(request: Request) {
  const length = request.headers.get('content-length')
  return { bytes: length === null ? undefined : Number(length), body: request.body, gone: request.signal }
}
