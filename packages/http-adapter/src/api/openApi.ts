import { Api } from "./Api.ts"
import type { Document } from "./openapi/Document.ts"
import { finish } from "./openapi/finish.ts"

/** The contract as an OpenAPI document: what it says of each endpoint, and what all endpoints share. */
export const openApi = (baseUrl: string): Document => {
  const { info, openapi, ...rest } = finish(Api)
  return {
    openapi,
    info: { ...info, contact: { name: "Parley", url: `${baseUrl}/docs` } },
    servers: [{ url: baseUrl, description: "This service." }],
    ...rest
  }
}
