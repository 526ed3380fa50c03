import type { JsonSchema, Schema } from "effect"

/** A pointer to something said once, under `components`. */
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

/** What a call takes besides its body. */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly style?: "form"
  readonly explode?: boolean
  readonly schema: JsonSchema.JsonSchema
  readonly example?: Schema.Json
}

/** What a call answers with one status. */
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
  /** The feature that the organization's plan needs. */
  readonly "x-plan-feature"?: string
  /** The area and name by which the typed client calls it; files are sent and read without it. */
  readonly "x-client-method"?: string
}

/** What is posted to others. */
export type Webhook = Omit<Operation, "parameters" | "x-client-method" | "x-plan-feature"> & {
  readonly parameters: ReadonlyArray<Ref>
}

/** What is said once and pointed to. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema.JsonSchema>>
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly headers: Readonly<Record<string, Header>>
  readonly examples: Readonly<Record<string, Example>>
  readonly responses: Readonly<Record<string, Answer>>
}

/** An OpenAPI 3.1 document, as far as ours goes. */
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

/** Points to a part of `components`. */
export const refTo = (kind: keyof Components, name: string): Ref => ({ $ref: `#/components/${kind}/${name}` })

/** Whether something is only pointed to. */
export const isRef = (part: object): part is Ref => "$ref" in part
