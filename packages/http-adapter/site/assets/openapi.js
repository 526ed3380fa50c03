import { areaPath } from "./index.js"

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema: Schema, example?: unknown, "x-client-name"?: string }} Parameter
 * @typedef {{ schema?: Schema, example?: unknown, examples?: Record<string, { value: unknown }> }} Media
 * @typedef {{ description?: string, required?: boolean, schema?: Schema }} Header
 * @typedef {{ description?: string, headers?: Record<string, Header>, content?: Record<string, Media> }} Answer
 * @typedef {{ status: string, code: string, title: string, schema: Schema, example: unknown }} Refusal
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} anchor
 * @property {string} href
 * @property {string} method
 * @property {string} path
 * @property {string} summary
 * @property {string} description
 * @property {string} area
 * @property {boolean} deprecated
 * @property {boolean} secured
 * @property {string | null} feature
 * @property {string | null} permission
 * @property {string | null} client the area and name that the typed client calls it by
 * @property {ReadonlyArray<Parameter>} parameters
 * @property {{ required?: boolean, content: Record<string, Media> } | null} requestBody
 * @property {Record<string, Answer>} answers
 * @property {ReadonlyArray<Refusal>} refusals
 * @typedef {object} Reference
 * @property {(schema: Schema) => Schema} resolve
 * @property {ReadonlyArray<Operation>} operations
 * @property {Readonly<Record<string, ReadonlyArray<string>>>} commonCodes errors of most calls, by method
 * @property {ReadonlyArray<string>} sharedHeaders headers of many calls
 */

const methods = ["get", "post", "put", "patch", "delete", "head", "options"]

/**
 * @param {any} document
 * @returns {(schema: any) => any}
 */
const resolverOf = (document) => (schema) => {
  let found = schema
  for (let hops = 0; typeof found?.$ref === "string" && hops < 16; hops++) {
    const { $ref, ...beside } = found
    const target = $ref
      .replace(/^#\//, "")
      .split("/")
      .reduce(
        (/** @type {any} */ at, /** @type {string} */ name) => at?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
        document
      )
    found = { ...target, ...beside }
  }
  return found
}

/**
 * Every variant of a schema that may be a union, and unions of unions.
 *
 * @param {Schema} schema
 * @param {(schema: Schema) => Schema} resolve
 * @returns {ReadonlyArray<Schema>}
 */
export const variantsOf = (schema, resolve) => {
  const found = resolve(schema)
  const variants = found.anyOf ?? found.oneOf
  if (!Array.isArray(variants)) return [found]
  return variants.flatMap((variant) => variantsOf(variant, resolve))
}

/** @param {Schema | undefined} schema */
const onlyValue = (schema) => schema?.const ?? (schema?.enum?.length === 1 ? schema.enum[0] : undefined)

/**
 * @param {Record<string, Answer>} answers
 * @param {(schema: Schema) => Schema} resolve
 * @returns {ReadonlyArray<Refusal>}
 */
const refusalsOf = (answers, resolve) =>
  Object.entries(answers).flatMap(([status, answer]) =>
    Object.values(answer.content ?? {}).flatMap((media) =>
      variantsOf(media.schema ?? {}, resolve).flatMap((schema) => {
        const codes = resolve(schema.properties?.code ?? {})
        const title = onlyValue(resolve(schema.properties?.title ?? {})) ?? schema.title ?? ""
        return [codes.const, ...(codes.enum ?? [])]
          .filter((code) => typeof code === "string")
          .map((code) => ({ status, code, title, schema, example: media.examples?.[code]?.value }))
      })
    )
  )

/**
 * An answer with everything in it that it only pointed to.
 *
 * @param {any} source
 * @param {(schema: any) => any} resolve
 * @returns {Answer}
 */
const answerOf = (source, resolve) => {
  const answer = resolve(source)
  const inPlace = (/** @type {any} */ things) =>
    Object.fromEntries(Object.entries(things ?? {}).map(([name, thing]) => [name, resolve(thing)]))
  return {
    ...answer,
    headers: inPlace(answer.headers),
    content: Object.fromEntries(
      Object.entries(answer.content ?? {}).map(([type, media]) => [
        type,
        { ...media, examples: inPlace(media.examples) }
      ])
    )
  }
}

/**
 * The operations of an OpenAPI document for the pages.
 *
 * @param {any} document
 * @returns {Reference}
 */
export const readReference = (document) => {
  const resolve = resolverOf(document)
  const base = (document.servers?.[0]?.url ?? "").replace(/^https?:\/\/[^/]+/, "").replace(/\/$/, "")
  const security = document.security ?? []
  /** @type {ReadonlyArray<Operation>} */
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const source = item[method]
      if (source === undefined) return []
      const answers = Object.fromEntries(
        Object.entries(source.responses ?? {}).map(([status, answer]) => [status, answerOf(answer, resolve)])
      )
      const refusals = refusalsOf(answers, resolve)
      const id = source.operationId ?? `${method}-${path}`
      return [
        {
          id,
          anchor: `operation/${id}`,
          href: `${areaPath(source.tags?.[0] ?? "Other")}#operation/${id}`,
          method: method.toUpperCase(),
          path: base + path,
          summary: source.summary ?? id,
          description: source.description ?? "",
          area: source.tags?.[0] ?? "Other",
          deprecated: source.deprecated === true,
          secured: (source.security ?? security).length > 0,
          feature: source["x-plan-feature"] ?? null,
          permission: source["x-permission"] ?? null,
          client: source["x-client-method"] ?? null,
          parameters: [...(item.parameters ?? []), ...(source.parameters ?? [])].map(resolve),
          requestBody: source.requestBody === undefined ? null : resolve(source.requestBody),
          answers,
          refusals
        }
      ]
    })
  )
  return {
    resolve,
    operations,
    commonCodes: document["x-common-codes"] ?? {},
    sharedHeaders: document["x-shared-headers"] ?? []
  }
}

/** Reads a part of the contract. @param {string} path */
export const loadReference = async (path) => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return readReference(await response.json())
}
