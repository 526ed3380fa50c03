import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, type HttpApiMiddleware } from "effect/http-api"

/** An endpoint of a contract, with where it stands and what surrounds it. */
export interface Reflected {
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly behind: ReadonlySet<HttpApiMiddleware.AnyService>
  /** Its path as OpenAPI writes it. */
  readonly path: string
  readonly method: string
}

/** Every endpoint of a contract. */
export const reflectApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Reflected> => {
  const found: Array<Reflected> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware }) =>
      found.push({
        group: group.identifier,
        endpoint,
        behind: middleware,
        path: endpoint.path.replaceAll(/:(\w+)/g, "{$1}"),
        method: endpoint.method.toLowerCase()
      })
  })
  return found
}
