import { OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"

/** The contract as an OpenAPI document. */
export const openApi = (baseUrl: string): OpenApi.OpenAPISpec => ({
  ...OpenApi.fromApi(Api),
  servers: [{ url: baseUrl }]
})
