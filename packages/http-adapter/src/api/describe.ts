import { OpenApi } from "effect/http-api"

/** What the reference says of an endpoint: a short line, and a paragraph when there is more to know. */
export const describe = (summary: string, description?: string) =>
  OpenApi.annotations(description === undefined ? { summary } : { summary, description })

/** What the reference says of an area. */
export const area = (title: string, description: string) => OpenApi.annotations({ title, description })
