import { OpenApi } from "effect/http-api"

/** What the reference says of an endpoint: its name in generated clients, a short line, a paragraph when there is more to know. */
export const describe = (operationId: string, summary: string, description?: string) =>
  OpenApi.annotations({ identifier: operationId, summary, ...(description !== undefined && { description }) })

/** What the reference says of an area. */
export const area = (title: string, description: string) => OpenApi.annotations({ title, description })
