import { type JsonSchema, Predicate } from "effect"
import { type Document, isRef, type Operation, type Parameter, type Ref } from "../../api/describe.ts"
import {
  baseOf,
  commonFields,
  descriptionsByContext,
  eventFields,
  pageFields,
  problemFields
} from "./fieldDescriptions/index.ts"

type Json = JsonSchema.JsonSchema

/** Keywords whose schemas describe the same place. */
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"] as const
const parts = ["items", "additionalProperties"] as const

/** Descriptions of the outer fields of every schema of a kind: problems, events, and the bodies of operations. */
const fieldsOfKind = (context: string): Readonly<Record<string, string>> => {
  if (context.endsWith("Problem")) return problemFields
  if (context.includes(".")) return eventFields
  return /^[a-z]/u.test(context) ? pageFields : {}
}

const describedIn = (context: string, path: string): string | undefined => {
  const base = baseOf(context)
  return descriptionsByContext[context]?.[path] ?? (base === undefined ? undefined : describedIn(base, path))
}

/**
 * Finds the description of a field: by its component, operation or event and its path, then by its name. Names in `commonFields` have one meaning
 * in the whole API.
 */
export const describeField = (context: string, path: ReadonlyArray<string>): string | undefined => {
  const name = path.at(-1) ?? ""
  return (
    describedIn(context, path.join(".")) ??
    (path.length === 1 ? fieldsOfKind(context)[name] : undefined) ??
    commonFields[name]
  )
}

const isJson = (value: unknown): value is Json => Predicate.isObject(value)

/** A description of the contract has precedence. A sentence that only names the permission of the field follows its description. */
const joinDescriptions = (own: unknown, found: string | undefined): unknown =>
  found !== undefined && Predicate.isString(own) && /^(?:Null|Empty) without `/u.test(own)
    ? `${found} ${own}`
    : (own ?? found)

/** Adds the descriptions of fields to a schema and the schemas inside of it. */
export const describeFields = (schema: Json, context: string, path: ReadonlyArray<string> = []): Json => {
  const inside: Record<string, unknown> = {}
  for (const keyword of lists) {
    const members: unknown = schema[keyword]
    if (Array.isArray(members)) {
      inside[keyword] = members.map((each: unknown) => (isJson(each) ? describeFields(each, context, path) : each))
    }
  }
  for (const keyword of parts) {
    const part: unknown = schema[keyword]
    if (isJson(part)) inside[keyword] = describeFields(part, context, path)
  }
  const properties: unknown = schema["properties"]
  if (isJson(properties)) {
    inside["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        if (!isJson(field)) return [name, field]
        const description = joinDescriptions(field["description"], describeField(context, [...path, name]))
        const within = describeFields(field, context, [...path, name])
        return [name, description === undefined ? within : { ...within, description }]
      })
    )
  }
  return Object.keys(inside).length === 0 ? schema : { ...schema, ...inside }
}

const describeContent = <A>(part: A, context: string): A => {
  if (!Predicate.isObject(part) || !isJson(part["content"])) return part
  const content = Object.fromEntries(
    Object.entries(part["content"]).map(([type, media]) => [
      type,
      isJson(media) && isJson(media["schema"]) ? { ...media, schema: describeFields(media["schema"], context) } : media
    ])
  )
  return { ...part, content }
}

/** Parameters share the descriptions of fields. */
const describeParameter = (parameter: Parameter | Ref, context: string): Parameter | Ref => {
  if (isRef(parameter) || parameter.description !== undefined) return parameter
  const description = describeField(context, [parameter.name])
  return description === undefined ? parameter : { ...parameter, description }
}

const describeOperation = (operation: Operation): Operation => {
  const context = operation.operationId
  const { parameters, requestBody, responses } = operation
  return {
    ...operation,
    parameters: parameters.map((each) => describeParameter(each, context)),
    ...(requestBody !== undefined && { requestBody: describeContent(requestBody, context) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [status, describeContent(answer, context)])
    )
  }
}

/** Adds the descriptions of fields and parameters to every operation. */
export const describePaths = (paths: Document["paths"]): Document["paths"] =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, describeOperation(operation)])
      )
    ])
  )

/** Adds the descriptions of fields to the bodies of webhooks. */
export const describeWebhooks = (webhooks: Document["webhooks"]): Document["webhooks"] =>
  Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => [
      type,
      {
        post: {
          ...post,
          ...(post.requestBody !== undefined && { requestBody: describeContent(post.requestBody, type) })
        }
      }
    ])
  )
