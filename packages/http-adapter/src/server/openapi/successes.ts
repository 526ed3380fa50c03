import { Context, Schema, Stream } from "effect"
import {
  AlsoAnswers,
  AlsoReads,
  type Answer,
  goesWithoutBody,
  type Media,
  type Operation,
  type Reflected
} from "../../api/describe.ts"
import type { Sample } from "../bindings/bind.ts"
import { bindings } from "../bindings/index.ts"
import { encodeExample } from "./encodeExample.ts"
import { headersOf } from "./headers.ts"

interface Sampled {
  readonly samples: Readonly<Record<string, Sample>>
}

const groups: Readonly<Record<string, Sampled>> = bindings

const sampleOf = ({ endpoint, group }: Reflected): Sample =>
  groups[group]?.samples[endpoint.identifier] ?? { declared: null }

const outcomes: Readonly<Record<string, string>> = {
  "200": "Done.",
  "201": "Created.",
  "202": "Accepted. Processing continues after the answer.",
  "204": "Done. The answer has no body."
}

/** The schemas of a contract need no services: the server reads and writes with them as they are. */
const isBare = (schema: Schema.Top | undefined): schema is Schema.Codec<unknown, unknown> & Schema.Top =>
  schema !== undefined

const exemplified = (content: Readonly<Record<string, Media>>, schema: Schema.Top | undefined, value: unknown) =>
  value === undefined || Stream.isStream(value) || !isBare(schema)
    ? content
    : Object.fromEntries(
        Object.entries(content).map(([type, media]) => [type, { ...media, example: encodeExample(schema, value) }])
      )

/** The first of the examples that is an answer of this kind. */
const exampleFor = (schema: Schema.Top | undefined, { others = [], response }: Sample): unknown =>
  schema === undefined ? response : [response, ...others].find(Schema.is(Schema.toType(schema)))

/** A success with its words, its example and its headers. */
export const withSuccess = (status: string, answer: Answer, reflected: Reflected): Answer => {
  const [schema] = reflected.successes.get(Number(status)) ?? []
  return {
    description: outcomes[status] ?? answer.description,
    headers: headersOf({ status, isRetryable: false, isOwn: true }, reflected),
    ...(answer.content !== undefined && {
      content: {
        ...exemplified(answer.content, schema, exampleFor(schema, sampleOf(reflected))),
        ...Context.get(reflected.endpoint.annotations, AlsoAnswers)
      }
    })
  }
}

/** A call with an example of its body. */
export const withRequestExample = (operation: Operation, reflected: Reflected): Operation => {
  const { requestBody } = operation
  if (requestBody === undefined) return operation
  const [payload] = reflected.endpoint.payload.values()
  const content = exemplified(requestBody.content, payload?.schemas[0], sampleOf(reflected).request)
  return {
    ...operation,
    requestBody: {
      required: !goesWithoutBody(reflected.endpoint),
      content: { ...content, ...Context.get(reflected.endpoint.annotations, AlsoReads) }
    }
  }
}

/** Every operation has a description, as linters require. The default description states the requirements of the caller. */
const described = (operation: Operation, need: string | null): Operation => ({
  ...operation,
  description: operation.description ?? need ?? `${operation.summary ?? operation.operationId}.`
})

/** Requirement of the caller, in words; `null` without one. */
const needOf = (permission: string | null, scope: string | undefined): string | null => {
  if (permission !== null) return `Needs the permission \`${permission}\`.`
  return scope === undefined ? null : `Needs an operator token with the scope \`${scope}\`.`
}

/** Adds the permission or the operator scope, the plan feature, the audit action and the events that the use case declares. */
export const withNeeds = (operation: Operation, reflected: Reflected): Operation => {
  const declared = sampleOf(reflected).declared?.declaration
  if (declared === undefined) return described(operation, null)
  const permission = typeof declared.access === "object" ? declared.access.permission : null
  return {
    ...described(operation, needOf(permission, declared.operatorScope)),
    ...(declared.operatorScope !== undefined && { "x-operator-scope": declared.operatorScope }),
    ...(permission !== null && { "x-permission": permission }),
    ...(declared.feature !== undefined && { "x-plan-feature": declared.feature }),
    ...(declared.audit !== undefined && { "x-audit-action": declared.audit }),
    ...(declared.emits !== undefined && { "x-emits": declared.emits })
  }
}
