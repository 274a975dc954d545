import { Readable } from 'node:stream'
import {
  changedFile,
  file,
  fileLibrary,
  fileQuery,
  fileWithUsages,
  replaceQuery,
  uncroppedImageQuery,
  uploadedFile,
  uploadQuery,
} from '../contract/files.ts'
import { idParameter, listOf } from '../contract/list.ts'
import { listConfigurationFileUsages } from '../domain/configuration/file-usages.ts'
import { changeFile, deleteFile, regenerateImages, replaceFile } from '../domain/files/change-file.ts'
import { readUncroppedImage } from '../domain/files/find-served-file.ts'
import { getFile, getFileLibrary, type ListFileUsages, listFiles } from '../domain/files/list-files.ts'
import { uploadFile } from '../domain/files/upload-file.ts'
import { listPageFileUsages } from '../domain/pages/list-pages.ts'
import { listSectionFileUsages } from '../domain/sections/shown-sections.ts'
import { createApi, defineRoute, json, jsonBody, noContent, refusalResponse, staleResponse } from '../http/api.ts'

const read = { anyRight: ['files.write', 'pages.write'] } as const
const write = { anyRight: ['files.write'] } as const

/** Lists the usages of a file in everything that can refer to one. */
const usageFinders: ListFileUsages[] = [listConfigurationFileUsages, listPageFileUsages, listSectionFileUsages]

/** The request body is the file itself, so that it can be streamed. */
const fileBody = {
  body: {
    required: true,
    description: 'The file itself, of any type: the type is detected from the content.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } as object } },
  },
}
const uploadRefusals = {
  400: refusalResponse('The connection was interrupted'),
  413: refusalResponse('Too large; the limit is named at `file`'),
  415: refusalResponse('A type that is not accepted'),
  507: refusalResponse('The storage is full'),
}

/** In two parts: type inference is slow for one long chain. */
export const filesApi = () => createApi().route('/', manyFilesApi()).route('/', oneFileApi())

const manyFilesApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/files', {
        ...read,
        summary: 'List files',
        description:
          'The newest first. `search` matches names, folders and descriptions; every word must occur. `publicId` finds the file that has it in its URL.',
        request: { query: fileQuery },
        responses: { 200: json(listOf(file), 'One page of the list') },
      }),
      async (c) => c.json(await listFiles(c.var.ctx, c.req.valid('query')), 200),
    )
    .openapi(
      defineRoute('get', '/files/choices', {
        ...read,
        summary: 'Folders, limits of an upload, and how full the storage is',
        responses: {
          200: json(fileLibrary, 'The folders that have files, the limits, and the used part of the quota'),
        },
      }),
      async (c) => c.json(await getFileLibrary(c.var.ctx), 200),
    )
    .openapi(
      defineRoute('post', '/files', {
        ...write,
        summary: 'Upload a file',
        description:
          'Content that was uploaded before is not stored twice: the response is that file, with `already`. An image is resized afterwards; until then its `state` is `waiting` and its URL gives a preview.',
        request: { query: uploadQuery, ...fileBody },
        responses: { 201: json(uploadedFile, 'Added, or uploaded before'), ...uploadRefusals },
      }),
      async (c) => {
        const uploaded = await uploadFile(c.var.ctx, { ...c.req.valid('query'), ...bodyOf(c.req.raw) })
        return c.json(uploaded, 201, { Location: `/api/files/${uploaded.id}` })
      },
    )

const oneFileApi = () =>
  createApi()
    .openapi(
      defineRoute('get', '/files/{id}', {
        ...read,
        summary: 'One file, and where it is used',
        request: { params: idParameter },
        description: 'A page that you may not read is listed without `name` and `id`.',
        responses: { 200: json(fileWithUsages, 'The file') },
      }),
      async (c) => c.json(await getFile(c.var.ctx, c.req.valid('param').id, usageFinders), 200),
    )
    .openapi(
      defineRoute('get', '/files/{id}/whole', {
        ...read,
        summary: 'The uncropped image',
        description:
          'For the crop tool. `of` is not read: it makes the URL, and so the cached response, differ for each crop.',
        request: { params: idParameter, query: uncroppedImageQuery },
        responses: {
          200: {
            description: 'The image, at most 1280 pixels wide',
            content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      }),
      async (c) => {
        const stored = await readUncroppedImage(c.var.ctx, c.req.valid('param').id)
        return c.body(Readable.toWeb(stored) as ReadableStream, 200, {
          'Content-Type': 'image/webp',
          'Cache-Control': 'private, max-age=3600',
        })
      },
    )
    .openapi(
      defineRoute('put', '/files/{id}', {
        ...write,
        summary: 'Change the description of a file',
        description:
          'Fields that are left out are unchanged. The name keeps the extension of its type. Another `crop` resizes the image again.',
        request: { params: idParameter, body: jsonBody(changedFile, 'The changes') },
        responses: { 200: json(file, 'Changed'), 409: staleResponse },
      }),
      async (c) => c.json(await changeFile(c.var.ctx, c.req.valid('param').id, c.req.valid('json')), 200),
    )
    .openapi(
      defineRoute('put', '/files/{id}/content', {
        ...write,
        summary: 'Replace a file',
        description:
          'It stays in use in the same places, and its old URLs redirect to the new content. An image can only be replaced by an image.',
        request: { params: idParameter, query: replaceQuery, ...fileBody },
        responses: { 200: json(file, 'Replaced'), 409: staleResponse, ...uploadRefusals },
      }),
      async (c) => {
        const input = { ...c.req.valid('query'), ...bodyOf(c.req.raw) }
        return c.json(await replaceFile(c.var.ctx, c.req.valid('param').id, input), 200)
      },
    )
    .openapi(
      defineRoute('post', '/files/{id}/pictures', {
        ...write,
        summary: 'Retry resizing an image for which it failed',
        request: { params: idParameter },
        responses: { 200: json(file, 'In the queue, or resized already') },
      }),
      async (c) => c.json(await regenerateImages(c.var.ctx, c.req.valid('param').id), 200),
    )
    .openapi(
      defineRoute('delete', '/files/{id}', {
        ...write,
        summary: 'Delete a file',
        request: { params: idParameter },
        responses: {
          204: { description: 'Deleted' },
          409: refusalResponse('It is in use (`file_in_use`); `current.places` says where'),
        },
      }),
      async (c) => noContent(c, deleteFile(c.var.ctx, c.req.valid('param').id, usageFinders)),
    )

/** The body as a stream, with its announced length in bytes. */
function bodyOf(request: Request) {
  const length = request.headers.get('content-length')
  return { contentLength: length === null ? undefined : Number(length), body: request.body, signal: request.signal }
}
