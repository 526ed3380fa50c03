import { Context, type JsonSchema, type Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"

/** A reference to a shared definition under `components`. */
export interface Ref {
  readonly $ref: string
}

/** A value to show. */
export interface Example {
  readonly value: Schema.Json
}

/** A body of one media type. */
export interface Media {
  readonly schema: JsonSchema.JsonSchema
  readonly example?: Schema.Json
  readonly examples?: Readonly<Record<string, Example | Ref>>
}

/** A header of an answer. */
export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: JsonSchema.JsonSchema
  readonly example?: Schema.Json
}

/** Parameters of a call. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly style?: "form"
  readonly explode?: boolean
  readonly schema: JsonSchema.JsonSchema
  readonly example?: Schema.Json
  /** The name of the parameter in the typed client, if it differs. */
  readonly "x-client-name"?: string
}

/** Answer of a call with one status. */
export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, Ref>>
  readonly content?: Readonly<Record<string, Media>>
}

/** One call. */
export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters: ReadonlyArray<Parameter | Ref>
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Answer | Ref>>
  /** The permission that the caller needs. */
  readonly "x-permission"?: string
  /** The scope that an operator token needs. */
  readonly "x-operator-scope"?: string
  /** The feature that the organization's plan needs. */
  readonly "x-plan-feature"?: string
  /** Area and name in the typed client. Files are sent and read without it. */
  readonly "x-client-method"?: string
}

/** A request that the service posts to receivers. */
export type Webhook = Omit<Operation, "parameters" | "x-client-method" | "x-plan-feature"> & {
  readonly parameters: ReadonlyArray<Ref>
}

/** Shared definitions. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema.JsonSchema>>
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly examples: Readonly<Record<string, Example>>
  readonly responses: Readonly<Record<string, Answer>>
}

/** The parts of OpenAPI 3.1 that the document uses. */
export interface Document {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description?: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly security: ReadonlyArray<never>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>
  readonly components: Components
}

/** Refers to a part of `components`. */
export const refTo = (kind: keyof Components, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` })

/** Whether something is only pointed to. */
export const isRef = (part: object): part is Ref => "$ref" in part

/** Documentation of an endpoint: its name in generated clients, a summary, and an optional description. */
export const describe = (operationId: string, summary: string, description?: string) =>
  OpenApi.annotations({ identifier: operationId, summary, ...(description !== undefined && { description }) })

/** Documentation of an area. */
export const area = (title: string, description: string) => OpenApi.annotations({ title, description })

/** Answers of an endpoint beyond its schemas, by media type. Its handler writes them. */
export const AlsoAnswers = Context.Reference<Readonly<Record<string, Media>>>("@parley/http-adapter/AlsoAnswers", {
  defaultValue: () => ({})
})

/** Declares additional answers of an endpoint. */
export const alsoAnswers = (media: Readonly<Record<string, Media>>) => Context.make(AlsoAnswers, media)

/** Bodies of an endpoint beyond JSON, by media type. Its handler reads them. */
export const AlsoReads = Context.Reference<Readonly<Record<string, Media>>>("@parley/http-adapter/AlsoReads", {
  defaultValue: () => ({})
})

/** Whether an endpoint reads a body of every media type. */
export const ReadsAnyType = Context.Reference<boolean>("@parley/http-adapter/ReadsAnyType", {
  defaultValue: () => false
})

/** Marks an endpoint that reads a body of every media type. */
export const readsAnyType = Context.make(ReadsAnyType, true)

/** Whether an endpoint admits a session that must change the password first. */
export const AdmitsPasswordChange = Context.Reference<boolean>("@parley/http-adapter/AdmitsPasswordChange", {
  defaultValue: () => false
})

/** Admits sessions that must change the password first. */
export const admitsPasswordChange = Context.make(AdmitsPasswordChange, true)

/** Whether an endpoint waits for a provider before it answers. */
export const AsksProvider = Context.Reference<boolean>("@parley/http-adapter/AsksProvider", {
  defaultValue: () => false
})

/** Marks an endpoint that waits for a provider before it answers. */
export const asksProvider = Context.make(AsksProvider, true)

/** Declares additional bodies of an endpoint. */
export const alsoReads = (media: Readonly<Record<string, Media>>) => Context.make(AlsoReads, media)

/** An endpoint of a contract, with its group and its middlewares. */
export interface Reflected {
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
  /** The keys of the middlewares in front of it. */
  readonly behind: ReadonlySet<string>
  /** Its path in the OpenAPI document. */
  readonly path: string
  readonly method: string
  /** The schemas of its successes, by status. */
  readonly successes: ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>
}

/** Whether a call may come without a body: its contract then reads `null`. */
export const goesWithoutBody = ({ payload }: Pick<HttpApiEndpoint.Top, "payload">): boolean =>
  payload.get("application/json")?.schemas.some(({ ast }) => SchemaAST.isNull(SchemaAST.toEncoded(ast))) === true

/** The interface specification names the parameter of these paths `id`. */
const pathsWithId: ReadonlySet<string> = new Set([
  "/api/v1/conversations/:id/commerce",
  "/api/v1/broadcasts/:id/cancel"
])

/** The name of the id in a path, from its resource: for example `messageTemplateId` after `/message_templates`. */
export const idParameter = (path: string): string => {
  const [, resources] = /\/(\w+)\/:id(?=\/|$)/u.exec(path) ?? []
  if (resources === undefined || pathsWithId.has(path)) return "id"
  const resource = resources.replace(/ies$/u, "y").replace(/s$/u, "")
  return `${resource.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase())}Id`
}

/** The path of an endpoint in the OpenAPI document. */
export const documentPath = (path: string): string =>
  path.replaceAll(/:(\w+)/gu, (_, name: string) => `{${name === "id" ? idParameter(path) : name}}`)

/** Every endpoint of a contract. */
export const reflectApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Reflected> => {
  const found: Array<Reflected> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware, successes }) =>
      found.push({
        group: group.identifier,
        endpoint,
        behind: new Set(Array.from(middleware, ({ key }) => key)),
        path: documentPath(endpoint.path),
        method: endpoint.method.toLowerCase(),
        successes
      })
  })
  return found
}
