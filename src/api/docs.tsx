import { createHash } from 'node:crypto'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { rawHtml } from '../blocks/render-text.tsx'
import { createApi } from '../http/api.ts'
import { securityHeaders } from '../http/security-headers.ts'
import type { ApiDocument, JsonSchema, Operation, Parameter } from './api-document.ts'
import styles from './docs.css?raw'

const css = styles.trim()
const styleHash = `'sha256-${createHash('sha256').update(css).digest('base64')}'`

/** `GET /openapi.json`, and `GET /docs` for people. They are not part of the document. */
export function documentApi(document: () => ApiDocument) {
  const api = createApi()
  api.get('/openapi.json', (c) => c.json(document()))
  api.get('/docs', (c) => {
    for (const [name, value] of securityHeaders(c.var.ctx.origin, [styleHash])) c.header(name, value)
    return c.html(`<!doctype html>${renderToStaticMarkup(page(document()))}`)
  })
  return api
}

/** The document as an HTML page that needs no script. */
function page({ info, tags, paths, components }: ApiDocument): ReactNode {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const title = `${info.title} API`
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {rawHtml('style', {}, css)}
      </head>
      <body>
        <header>
          <h1>{title}</h1>
          {paragraphs(String(info.description))}
          <p>
            For programs: <a href="/api/openapi.json">openapi.json</a>, OpenAPI 3.1.
          </p>
          <nav aria-label="Parts">
            <ul>
              {[...tags.map(({ name }) => name), 'Schemas'].map((name) => (
                <li key={name}>
                  <a href={`#${name}`}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
        </header>
        <main>
          {tags.map((tag) => (
            <section key={tag.name} id={tag.name}>
              <h2>{tag.name}</h2>
              <p className="quiet">{tag.description}</p>
              {operations
                .filter(({ operation }) => operation.tags.includes(tag.name))
                .map(({ path, method, operation }) => operationDetails(path, method, operation))}
            </section>
          ))}
          <section id="Schemas">
            <h2>Schemas</h2>
            {Object.entries(components.schemas).map(([name, schema]) => (
              <details key={name} className="named" id={`schema-${name}`} open>
                <summary>
                  <code className="path">{name}</code>
                </summary>
                <div>{fields(schema)}</div>
              </details>
            ))}
          </section>
        </main>
      </body>
    </html>
  )
}

function operationDetails(path: string, method: string, operation: Operation): ReactNode {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return (
    <details key={operationId} className="call" id={operationId}>
      <summary>
        <span className="method">{method.toUpperCase()}</span>
        <code className="path">{path}</code>
        <span className="quiet">{summary}</span>
      </summary>
      <div>
        {paragraphs(description)}
        {parameters.length > 0 && (
          <>
            <h3>Parameters</h3>
            <ul className="fields">{parameters.map(parameterItem)}</ul>
          </>
        )}
        {requestBody && (
          <>
            <h3>Body</h3>
            {Object.entries(requestBody.content).map(([type, { schema }]) => (
              <div key={type}>
                <code>{type}</code> {typeOf(schema)}
                {'$ref' in schema ? null : fields(schema)}
              </div>
            ))}
          </>
        )}
        <h3>Answers</h3>
        <table>
          <tbody>
            {Object.entries(responses).map(([status, { description, content = {} }]) => (
              <tr key={status}>
                <th scope="row">{status}</th>
                <td>
                  {inline(description)}
                  {Object.entries(content).map(([type, { schema }]) => (
                    <div key={type} className="quiet">
                      <code>{type}</code> {typeOf(schema)}
                      {'$ref' in schema ? null : fields(schema)}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const parameterItem = ({ name, in: location, required, schema }: Parameter): ReactNode => (
  <li key={name}>
    <code>{name}</code> <span className="quiet">in the {location},</span> {typeOf(schema)}{' '}
    {required && <span className="needed">needed</span>}
  </li>
)

/** The fields of an object or of the items of a list; for a union, the fields of each variant under its `type`. */
function fields(schema: JsonSchema): ReactNode {
  const { properties, items, oneOf, required = [] } = schema as Shape
  if (items && !('$ref' in items)) return fields(items)
  if (oneOf) {
    return oneOf.map((variant) => {
      const name = String((variant as Shape).properties?.type?.const)
      return (
        <details key={name}>
          <summary>
            <code>{name}</code>
          </summary>
          {fields(variant)}
        </details>
      )
    })
  }
  if (!properties) return null
  return (
    <ul className="fields">
      {Object.entries(properties).map(([name, property]) => (
        <li key={name}>
          <code>{name}</code> {typeOf(property)} {required.includes(name) && <span className="needed">needed</span>}
          {typeof property.description === 'string' && <span className="quiet"> {inline(property.description)}</span>}
          {fields(property)}
        </li>
      ))}
    </ul>
  )
}

interface Shape {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  oneOf?: JsonSchema[]
  required?: string[]
}

/** The type of a schema in a few words; a named schema is a link. */
function typeOf(schema: JsonSchema): ReactNode {
  const { $ref, anyOf, items, enum: values, type, format } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return <a href={`#schema-${name}`}>{name}</a>
  }
  if (Array.isArray(anyOf)) {
    return (anyOf as JsonSchema[]).map((alternative, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: alternatives never move
      <span key={index}>
        {index > 0 && ' or '}
        {typeOf(alternative)}
      </span>
    ))
  }
  if (items) return <>list of {typeOf(items as JsonSchema)}</>
  if (Array.isArray(values)) return values.map(String).join(' | ')
  if ('const' in schema) return <code>{JSON.stringify(schema.const)}</code>
  return [typeof format === 'string' ? format : (type ?? 'anything'), ...bounds(schema)].join(', ')
}

const bounds = ({ minimum, maximum, minLength, maxLength, default: defaultValue }: JsonSchema): string[] => [
  ...(minimum === undefined ? [] : [`≥ ${minimum}`]),
  ...(maximum === undefined ? [] : [`≤ ${maximum}`]),
  ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
  ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ...(defaultValue === undefined ? [] : [`${JSON.stringify(defaultValue)} when left out`]),
]

const paragraphs = (text: string): ReactNode =>
  text.split('\n\n').map((paragraph) => <p key={paragraph}>{inline(paragraph)}</p>)

/** Text between backticks is code. */
const inline = (text: string): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
