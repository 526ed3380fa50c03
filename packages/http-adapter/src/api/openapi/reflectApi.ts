import { type Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** An endpoint of a contract, with where it stands and what surrounds it. */
export interface Reflected {
  readonly group: string
  readonly endpoint: HttpApiEndpoint.Top
  /** The keys of the middlewares in front of it. */
  readonly behind: ReadonlySet<string>
  /** Its path as OpenAPI writes it. */
  readonly path: string
  readonly method: string
  /** The schemas of its successes, by status. */
  readonly successes: ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>
}

/** Whether a call may come without a body: its contract then reads `null`. */
export const goesWithoutBody = ({ payload }: Pick<HttpApiEndpoint.Top, "payload">): boolean =>
  payload.get("application/json")?.schemas.some(({ ast }) => SchemaAST.isNull(SchemaAST.toEncoded(ast))) === true

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
        path: endpoint.path.replaceAll(/:(\w+)/g, "{$1}"),
        method: endpoint.method.toLowerCase(),
        successes
      })
  })
  return found
}
